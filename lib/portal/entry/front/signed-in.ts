/** Whether a request comes from somebody who is signed in, before any handler sees it. */
import 'server-only'
import type { IncomingMessage } from 'node:http'
import { findPollingActor } from '@/lib/portal/identity/actor'

export async function isSignedIn({ headers: { cookie = '' } }: IncomingMessage): Promise<boolean> {
  return (await findPollingActor(new Request('http://localhost', { headers: { cookie } }))) !== null
}
