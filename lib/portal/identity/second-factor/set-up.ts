/** Setting up a second factor while signing in, for users who need one: the session awaits it until the app is confirmed. */
import 'server-only'
import { type Outcome, type Problem, problem } from '@/lib/contract/problem'
import type { Awaiting, Person } from '../actor'
import { completeSession } from '../session'
import { createRowId } from '../token'
import { hasSecondFactor } from './awaited'
import { confirmTotp, startTotp, type TotpToAdd } from './totp'

/** Shows the seed of an authenticator app, once. */
export async function startSetUp(awaiting: Awaiting | null): Promise<Outcome<TotpToAdd>> {
  const found = await readPerson(awaiting)
  return found.ok ? startTotp(found.data, createRowId()) : found
}

/** Takes the first code. Returns the recovery codes, shown once, and the id of the session, which is new and signed in. */
export async function finishSetUp(awaiting: Awaiting | null, code: string): Promise<Outcome<{ sid: string; codes: string[] }>> {
  const found = await readPerson(awaiting)
  if (!found.ok) return found
  const confirmed = await confirmTotp(found.data, code, createRowId())
  if (!confirmed.ok) return confirmed
  const sid = await completeSession(found.data.sessionId)
  return sid === null ? { ok: false, problem: tooLate() } : { ok: true, data: { sid, codes: confirmed.data.codes } }
}

/** Whoever got a second factor meanwhile, in another browser, has to prove that one: the password alone may not add another. */
async function readPerson(awaiting: Awaiting | null): Promise<Outcome<Person>> {
  if (awaiting?.awaits !== 'secondFactorSetup' || (await hasSecondFactor(awaiting.person.user.id))) return { ok: false, problem: tooLate() }
  return { ok: true, data: awaiting.person }
}

const tooLate = (): Problem => problem('invalid', { sentence: 'It took too long, or a second factor was added meanwhile. Sign in again.' })
