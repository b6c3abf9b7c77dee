/** Signs in a browser: sets its session cookie and its device token. */
import 'server-only'
import type { Problem } from '@/lib/contract/problem'
import { readDevice } from '@/lib/portal/base/request/device'
import { readSid, writeSid } from './cookie'
import { readDeviceToken, rememberThisDevice } from './known-device'
import { type Credentials, signInWithPassword } from './sign-in'

/** Null on success; otherwise the reason. Only in actions, because it sets cookies. */
export async function signInBrowser(credentials: Credentials): Promise<Problem | null> {
  const carried = { sid: await readSid(), deviceToken: await readDeviceToken() }
  const signedIn = await signInWithPassword(credentials, await readDevice(), carried)
  if (!signedIn.ok) return signedIn.problem
  await writeSid(signedIn.data.sid)
  await rememberThisDevice(signedIn.data.sid)
  return null
}
