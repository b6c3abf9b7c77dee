/** The key with which Next encrypts what a server action closes over: this installation's own, so that nobody learns it from a release. */
import 'server-only'
import { hkdfSync } from 'node:crypto'
import { getSessionSecret } from '@/lib/portal/identity/session-secret'

/** To be called before the first request: Next reads the variable once, and would use the public key of the build without it. */
export function setActionKey(): void {
  const key = hkdfSync('sha256', getSessionSecret(), '', 'gatehouse server actions', 32)
  process.env.NEXT_SERVER_ACTIONS_ENCRYPTION_KEY = Buffer.from(key).toString('base64')
}
