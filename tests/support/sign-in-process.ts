/** Tries to sign in, with the log on standard output as a portal writes it. argv[2]: a JSON list of { email, password, peer }, with the code of the second step, if any. */
import { openRing } from '@/lib/portal/custody/ring'
import { findAwaitingBySid } from '@/lib/portal/identity/actor'
import { finishSignIn } from '@/lib/portal/identity/second-factor/finish-sign-in'
import { signInWithPassword } from '@/lib/portal/identity/sign-in'

type Try = { email: string; password: string; peer: string; code?: string }

const tries: Try[] = JSON.parse(process.argv[2] ?? '[]')
await openRing()
for (const { email, password, peer, code } of tries) {
  const device = { peer, userAgent: 'a browser' }
  const signedIn = await signInWithPassword({ email, password }, device)
  if (signedIn.ok && code !== undefined) await finishSignIn(await findAwaitingBySid(signedIn.data.sid), code, device, null)
}
process.exit(0)
