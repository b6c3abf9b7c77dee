/** Signs in a browser through next-auth: sets its session cookie and its device token. */
import 'server-only'
import { cookies } from 'next/headers'
import { type Outcome, type Problem, problem } from '@/lib/contract/problem'
import { readDevice } from '@/lib/portal/base/request/device'
import { type Awaiting, findAwaiting, findAwaitingBySid } from './actor'
import { clearSid, readSid, writeSid } from './cookie'
import { enterThroughNextAuth, type Prove, type SignedIn } from './enter-through-next-auth'
import { readDeviceToken, rememberThisDevice } from './known-device'
import { finishSignIn } from './second-factor/finish-sign-in'
import { endSession } from './session'
import { type Credentials, signInWithPassword } from './sign-in'
import { completeJoining, joiningFailed } from './single-sign-on/joining'

/** Only in actions, because it sets cookies. */
export async function signInBrowser(given: Credentials): Promise<Outcome<SignedIn>> {
  const device = await readDevice()
  return enterBrowser('password', (carried) => signInWithPassword(given, device, carried))
}

/** Opens a session through next-auth and sets its cookie. Only in actions. */
export async function enterBrowser(id: string, prove: Prove): Promise<Outcome<SignedIn>> {
  const entered = await enterThroughNextAuth(id, prove)
  if (!entered.ok) return entered
  const { cookie, awaits } = entered.data
  const store = await cookies()
  store.set(cookie)
  return { ok: true, data: { awaits } }
}

/**
 * Both steps at once, for a page that has to stay as it is: null on success. Without the code that is awaited, a refusal at the field
 * `code` and no cookie, because Next renders the page again after an action that sets one, and nobody is signed in yet. Only in actions.
 */
export async function signInAgainBrowser(given: Credentials, code: string): Promise<Problem | null> {
  const entered = await enterPassword(given)
  if (!entered.ok) return entered.problem
  const { cookie, awaits, sid } = entered.data
  if (awaits === null) {
    const store = await cookies()
    store.set(cookie)
    return null
  }
  const refusal = awaits === 'secondFactor' ? await finish(await findAwaitingBySid(sid), code) : setUpFirst
  if (refusal) await endSession(sid)
  return refusal
}

const setUpFirst = problem('forbidden', { sentence: 'You need a second factor. Set it up on the sign-in page first.' })

async function enterPassword(given: Credentials) {
  const device = await readDevice()
  return enterThroughNextAuth('password', (carried) => signInWithPassword(given, device, carried))
}

/** The second step: null on success. Only in actions. */
export async function finishSignInBrowser(code: string): Promise<Problem | null> {
  return finish(await findAwaiting(), code)
}

async function finish(awaiting: Awaiting | null, code: string): Promise<Problem | null> {
  return keepFinished(await finishSignIn(awaiting, code, await readDevice(), await readDeviceToken()))
}

/** Sets the cookie of a session that awaits nothing any more: null on success. Only in actions. */
export async function keepFinished(finished: Outcome<{ sid: string }>): Promise<Problem | null> {
  if (!finished.ok) return finished.problem
  if (!(await completeJoining(finished.data.sid))) return joiningFailed()
  await writeSid(finished.data.sid)
  await rememberThisDevice(finished.data.sid)
  return null
}

/** Ends a session that awaits a second factor; a signed-in one stays. Only in actions. */
export async function abandonSignIn(): Promise<void> {
  const sid = await readSid()
  if (sid === null || !(await findAwaiting())) return
  await endSession(sid)
  await clearSid()
}
