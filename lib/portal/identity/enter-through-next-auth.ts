/** Opens a browser's session through next-auth, for whoever has proven who they are. */
import 'server-only'
import type { ResponseCookie } from '@edge-runtime/cookies'
import credentials from 'next-auth/providers/credentials'
import { type Outcome, type Problem, problem } from '@/lib/contract/problem'
import type { SessionAwaits } from '@/prisma/generated/portal/client'
import { isLiveSid } from './actor'
import { readSid } from './cookie'
import { readDeviceToken } from './known-device'
import { authOptions } from './next-auth'
import { runSignIn } from './run-next-auth'
import { endSession, findSession } from './session'
import type { Carried } from './sign-in'
import { completeJoining, joiningFailed, readJoining } from './single-sign-on/joining'
import { singleSignOnOnly } from './single-sign-on/required'

/** What the new session still awaits; null if the user is signed in. */
export type SignedIn = { awaits: SessionAwaits | null }

/** A session that was opened, and the cookie that next-auth would set for it. */
export type Entered = SignedIn & { sid: string; cookie: ResponseCookie }

/** Checks what the user gave and opens the session. */
export type Prove = (carried: Carried) => Promise<Outcome<{ sid: string }>>

/** Only in actions. Through next-auth, which itself would only say that a sign-in was refused, not why. */
export async function enterThroughNextAuth(id: string, prove: Prove): Promise<Outcome<Entered>> {
  const proven: { outcome: Outcome<{ sid: string }> } = { outcome: { ok: false, problem: problem('internal') } }
  const carried = { sid: await readSid(), deviceToken: await readDeviceToken(), joiningUserId: (await readJoining())?.userId ?? null }
  const authorize = async () => {
    proven.outcome = await prove(carried)
    if (!proven.outcome.ok) return null
    const { sid } = proven.outcome.data
    const refusal = await refuseSession(sid)
    if (refusal) proven.outcome = { ok: false, problem: refusal }
    return refusal ? null : { id: sid }
  }
  const cookie = await runSignIn(id, authOptions([credentials({ id, name: id, credentials: {}, authorize })]))
  const { outcome } = proven
  if (!outcome.ok) return outcome
  if (!cookie) return { ok: false, problem: problem('internal') }
  const { sid } = outcome.data
  return { ok: true, data: { sid, cookie, awaits: (await findSession({ sid }))?.awaits ?? null } }
}

/** A way in, such as a passkey, that its user's team does not accept, or an account that could not be joined. The session has then ended. */
async function refuseSession(sid: string): Promise<Problem | null> {
  const session = await findSession({ sid })
  if (session?.team.requiresSingleSignOn === true && !(await isLiveSid(sid))) {
    await endSession(sid)
    return singleSignOnOnly()
  }
  return (await completeJoining(sid)) ? null : joiningFailed()
}
