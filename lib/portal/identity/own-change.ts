/** Runs a change of a user's own address or ways to sign in between the two entries of the audit log. */
import 'server-only'
import { type Outcome, problem } from '@/lib/contract/problem'
import type { AuditDetail } from '@/lib/portal/audit/detail'
import type { OwnAction } from '@/lib/portal/audit/own-actions'
import { recordAudit } from '@/lib/portal/audit/record'
import { type Person, recheckOwner } from './actor'
import { eventOf } from './check-password'
import { notifyWaysIn } from './notify-ways-in'

/** Nothing is changed if the intent cannot be written, or the session has ended. `named`: what the change is about, for both entries. */
export async function recordOwnChange<T>(
  person: Person,
  action: OwnAction,
  requestId: string,
  change: () => Promise<Outcome<T>>,
  named: AuditDetail = {},
): Promise<Outcome<T>> {
  const event = { ...eventOf(person, action), requestId, detail: named }
  await recordAudit({ ...event, stage: 'intent', outcome: 'asked' })
  const outcome = await unlessEnded(person, change).catch(async (error: unknown) => {
    await recordAudit({ ...event, stage: 'outcome', outcome: 'failed', detail: { ...named, code: 'internal' } })
    throw error
  })
  const detail = { ...named, code: outcome.ok ? undefined : outcome.problem.code }
  await recordAudit({ ...event, stage: 'outcome', outcome: outcome.ok ? 'done' : 'failed', detail })
  if (outcome.ok) await notifyWaysIn(person.team.id, person.user.id, action)
  return outcome
}

/** The session may have ended while the form was open. */
async function unlessEnded<T>(person: Person, change: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
  const now = await recheckOwner(person.sessionId)
  return now?.user.id === person.user.id ? change() : { ok: false, problem: problem('signed_out') }
}
