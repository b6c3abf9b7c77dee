/** Checks a signed-in user's password; counted and throttled like a sign-in. */
import 'server-only'
import { type Outcome, type Problem, problem } from '@/lib/contract/problem'
import type { OwnAction } from '@/lib/portal/audit/own-actions'
import { recordAudit } from '@/lib/portal/audit/record'
import { db } from '@/lib/portal/base/db'
import type { Device } from '@/lib/portal/base/request/device'
import type { Person } from './actor'
import { unlessBusy, verifyPassword } from './password'
import { countTry, findSource, forgiveTry } from './throttle'

/**
 * The stored hash that the password matches, or a problem at the form's `field`. Logs a wrong password under `action`;
 * `deviceToken` identifies the browser. Attempts count together with those of the sign-in page, so neither bypasses the other.
 */
export async function checkPassword(
  actor: Person,
  { password, field, action }: { password: string; field: string; action: OwnAction },
  { peer, userAgent }: Device,
  deviceToken: string | null,
): Promise<Outcome<{ hash: string }>> {
  const source = await findSource(actor.user.email, peer, deviceToken)
  const waiting = await countTry(actor.user.email, source)
  if (waiting) return refuse(waiting)
  const user = await db().user.findUnique({ where: { id: actor.user.id }, select: { passwordHash: true } })
  const matches = await unlessBusy(verifyPassword(user?.passwordHash ?? null, password))
  if (!matches.ok) return matches
  if (!user?.passwordHash || !matches.data) {
    await recordAudit({
      ...eventOf(actor, action),
      stage: 'event',
      outcome: 'failed',
      detail: { peer, userAgent, reason: 'wrong password' },
    })
    return refuse(problem('invalid', { fields: { [field]: 'Wrong password.' } }))
  }
  await forgiveTry(actor.user.email, source)
  return { ok: true, data: { hash: user.passwordHash } }
}

/** The audit log's fields for a user's action on their own account. */
export const eventOf = (actor: Person, action: OwnAction) =>
  ({
    teamId: actor.team.id,
    actor: { kind: 'user', id: actor.user.id, sessionId: actor.sessionId },
    action,
    object: { kind: 'user', id: actor.user.id },
  }) as const

const refuse = (why: Problem): { ok: false; problem: Problem } => ({ ok: false, problem: why })
