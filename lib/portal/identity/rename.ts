/** Changes a user's own name. */
import 'server-only'
import { type Outcome, problem } from '@/lib/contract/problem'
import { recordAudit } from '@/lib/portal/audit/record'
import { db } from '@/lib/portal/base/db'
import type { Person } from './actor'
import { eventOf } from './check-password'
import { refuseName } from './name'

/** Changes the user's name everywhere, including in older audit log entries, which only store the user's id. */
export async function renamePerson(actor: Person, given: string, requestId: string): Promise<Outcome<{ name: string }>> {
  const refusal = refuseName(given)
  if (refusal) return { ok: false, problem: problem('invalid', { fields: { name: refusal } }) }
  const name = given.trim()
  if (name === actor.user.name) return { ok: true, data: { name } }
  const event = { ...eventOf(actor, 'person.rename'), requestId, detail: { name } }
  await recordAudit({ ...event, stage: 'intent', outcome: 'asked' })
  await db().user.update({ where: { id: actor.user.id }, data: { name } })
  await recordAudit({ ...event, stage: 'outcome', outcome: 'done' })
  return { ok: true, data: { name } }
}
