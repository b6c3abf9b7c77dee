/** The second step of signing in, after the password: a code or a passkey. */
import 'server-only'
import { type Outcome, problem } from '@/lib/contract/problem'
import { recordAudit } from '@/lib/portal/audit/record'
import type { Device } from '@/lib/portal/base/request/device'
import type { Awaiting, Person } from '../actor'
import { eventOf } from '../check-password'
import { checkOwnPasskey } from '../passkeys/check-own'
import { completeSession } from '../session'
import { logSignIn } from '../sign-in-log'
import { checkCode } from './check-code'

type Finished = Promise<Outcome<{ sid: string }>>

/** The signed-in session's id, which is new. Without a session that awaits a second factor: `invalid`, at no field. */
export const finishSignIn = (awaiting: Awaiting | null, code: string, device: Device, deviceToken: string | null): Finished =>
  finish(awaiting, code, device, (person) => checkCode(person, { code, action: 'session.secondFactor' }, device, deviceToken))

export const finishWithPasskey = (awaiting: Awaiting | null, passkey: string, device: Device): Finished =>
  finish(awaiting, passkey, device, (person) =>
    checkOwnPasskey(person, { passkey, purpose: 'signIn', action: 'session.secondFactor' }, device),
  )

async function finish(
  awaiting: Awaiting | null,
  given: string,
  device: Device,
  prove: (person: Person) => Promise<Outcome<{ via: string }>>,
): Finished {
  if (awaiting?.awaits !== 'secondFactor') return { ok: false, problem: tooLate() }
  const { person } = awaiting
  const proven = await prove(person)
  if (!proven.ok) {
    // An empty field is no attempt: the form asks for the code.
    if (given.trim() !== '') logSignIn(proven, person.user.email, device)
    return proven
  }
  const sid = await completeSession(person.sessionId)
  if (sid === null) return { ok: false, problem: tooLate() }
  const { peer, userAgent } = device
  const detail = { peer, userAgent, via: proven.data.via }
  await recordAudit({ ...eventOf(person, 'session.secondFactor'), stage: 'event', outcome: 'done', detail })
  return { ok: true, data: { sid } }
}

const tooLate = () => problem('invalid', { sentence: 'It took too long. Enter your email address and password again.' })
