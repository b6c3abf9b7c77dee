/** Checks what a user typed as their second factor: throttled like a password, with a separate counter. */
import 'server-only'
import { type Outcome, problem } from '@/lib/contract/problem'
import type { OwnAction } from '@/lib/portal/audit/own-actions'
import { recordAudit } from '@/lib/portal/audit/record'
import type { Device } from '@/lib/portal/base/request/device'
import type { Person } from '../actor'
import { eventOf } from '../check-password'
import { countTry, findSource, forgiveTry, type TrySource } from '../throttle'
import { takeRecoveryCode } from './recovery-codes'
import { findCode, takeCode } from './totp-code'

/** How the second factor was proven, as the audit log says it. */
type Via = 'an authenticator app' | 'a recovery code'

/**
 * Its own counter: each right password resets that of passwords, so whoever has the password could guess codes without end. A browser that
 * the user has signed in from before is counted separately here too.
 */
async function counterOf(person: Person, { peer }: Device, deviceToken: string | null): Promise<{ name: string; source: TrySource }> {
  return { name: `second factor of ${person.user.id}`, source: await findSource(person.user.email, peer, deviceToken) }
}

/**
 * Takes a code of the app or, unless `appOnly`, a recovery code; or a problem at the field `code`. A wrong one is logged under `action`.
 */
export async function checkCode(
  person: Person,
  { code, action, appOnly = false }: { code: string; action: OwnAction; appOnly?: boolean },
  device: Device,
  deviceToken: string | null,
): Promise<Outcome<{ via: Via }>> {
  if (code.trim() === '') return refuse('Enter the code.')
  const { name, source } = await counterOf(person, device, deviceToken)
  const waiting = await countTry(name, source)
  if (waiting) return { ok: false, problem: waiting }
  const via = await findVia(person.user.id, code, appOnly)
  if (via === null) {
    const { peer, userAgent } = device
    await recordAudit({ ...eventOf(person, action), stage: 'event', outcome: 'failed', detail: { peer, userAgent, reason: 'wrong code' } })
    return refuse('This code is wrong, or was used before. Enter the newest one.')
  }
  await forgiveTry(name, source)
  return { ok: true, data: { via } }
}

async function findVia(userId: string, code: string, appOnly: boolean): Promise<Via | null> {
  const found = await findCode({ userId, confirmed: true }, code)
  if (found && (await takeCode(found))) return 'an authenticator app'
  return !appOnly && (await takeRecoveryCode(userId, code)) ? 'a recovery code' : null
}

const refuse = (why: string) => ({ ok: false, problem: problem('invalid', { fields: { code: why } }) }) as const
