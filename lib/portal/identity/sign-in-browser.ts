/** Signs the browser in that is being answered: its session, and the token it is known by, go with the answer. */
import 'server-only'
import type { Problem } from '@/lib/contract/problem'
import { readDevice } from '@/lib/portal/base/request/device'
import { readSid, writeSid } from './cookie'
import { readDeviceToken, rememberThisDevice } from './known-device'
import { type Credentials, signInWithPassword } from './sign-in'

/** Null once it is signed in; otherwise why not. Only in actions, since it sets cookies. */
export async function signInBrowser(credentials: Credentials): Promise<Problem | null> {
  const carried = { sid: await readSid(), deviceToken: await readDeviceToken() }
  const signedIn = await signInWithPassword(credentials, await readDevice(), carried)
  if (!signedIn.ok) return signedIn.problem
  await writeSid(signedIn.data.sid)
  await rememberThisDevice(signedIn.data.sid)
  return null
}
