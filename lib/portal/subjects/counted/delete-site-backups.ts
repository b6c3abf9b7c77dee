/** Deletes backups of a site. If the answer is lost, the list tells whether they are gone. */
import 'server-only'
import { backups } from '@/lib/contract/operations/backups'
import type { Outcome } from '@/lib/contract/problem'
import { recordAudit } from '@/lib/portal/audit/record'
import { db } from '@/lib/portal/base/db'
import type { OwnInput } from '@/lib/portal/spine/guarded-action'
import { runOperation } from '../spine'
import { deleteCounted, readIds } from './delete-counted'

/** Reads `siteId`, `ids` and `confirmName`. The deletion is sent once, whatever comes of it. */
export async function deleteSiteBackups(input: OwnInput): Promise<Outcome<object>> {
  const outcome = await deleteCounted(backups.delete, input)
  if (outcome.ok || outcome.problem.code !== 'outcome_unknown') return outcome
  if (!(await areGone(input, new Set(readIds(input.field('ids')))))) return outcome
  await recordGone(input.requestId)
  return { ok: true, data: {} }
}

/** Only by a complete list: what is missing from any other may still be there. */
async function areGone({ actor, field }: OwnInput, names: ReadonlySet<string>): Promise<boolean> {
  const listed = await runOperation(actor, backups.list, { siteId: field('siteId') })
  if (!listed.ok || listed.cut || listed.unreadable) return false
  return !listed.data.items.some(({ name }) => names.has(name))
}

async function recordGone(requestId: string): Promise<void> {
  const row = await db().auditRow.findFirst({
    where: { requestId, outcome: 'unknown' },
    select: { teamId: true, action: true, objectId: true, connectionId: true },
  })
  if (!row) return
  await recordAudit({
    requestId,
    teamId: row.teamId,
    action: row.action,
    connectionId: row.connectionId,
    actor: { kind: 'gatehouse' },
    object: { kind: 'site', id: row.objectId },
    stage: 'outcome',
    outcome: 'done',
    detail: { reason: 'A later list shows the backups gone.' },
  })
}
