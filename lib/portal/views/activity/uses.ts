/** What others did with a member's own connection, from the audit log, for its owner. */
import 'server-only'
import { formatWho } from '@/lib/portal/audit/format-who'
import { readDetail } from '@/lib/portal/audit/read-detail'
import { db } from '@/lib/portal/base/db'
import type { Person } from '@/lib/portal/identity/actor'
import { showBidiControls } from '@/lib/text/bidi'
import { describeAction } from './sentences'
import { isResult, type Result, results } from './words'

/** at: ISO. target: the name at that time; empty if the entry has none. result: as Activity shows it. */
export type Use = { seq: number; at: string; who: string; description: string; target: string; result: string }

const most = 100

/**
 * The newest first, at most 100. Reads too, which are recorded once in ten minutes each while they repeat. The caller has found the
 * connection for this actor. What is done to the connection, such as freezing, is no use of it.
 */
export async function listUses(actor: Person, { id }: { id: string }): Promise<Use[]> {
  const teamId = actor.team.id
  const connection = await db().connection.findFirst({ where: { id, teamId }, select: { ownerId: true } })
  const ownerId = connection?.ownerId
  if (!ownerId) return []
  const by = { actorKind: 'user' as const, NOT: [{ actorId: ownerId }, { action: { startsWith: 'connection.' } }] }
  const rows = await db().auditRow.findMany({
    where: { teamId, connectionId: id, stage: { not: 'outcome' }, ...by },
    orderBy: { seq: 'desc' },
    take: most,
  })
  const requestIds = rows.map(({ requestId }) => requestId)
  const [ends, people] = await Promise.all([
    db().auditRow.findMany({ where: { requestId: { in: requestIds }, stage: 'outcome' }, orderBy: { seq: 'asc' } }),
    db().user.findMany({ where: { id: { in: rows.flatMap(({ actorId }) => actorId ?? []) } }, select: { id: true, name: true } }),
  ])
  const outcomes = new Map(ends.map(({ requestId, action, outcome }) => [`${requestId} ${action}`, outcome]))
  const names = new Map(people.map((person) => [person.id, person.name]))
  return rows.map((row) => {
    const detail = readDetail(row.detail)
    const came = row.stage === 'event' ? row.outcome : (outcomes.get(`${row.requestId} ${row.action}`) ?? 'open')
    const result: Result = isResult(came) ? came : 'unknown'
    return {
      seq: row.seq,
      at: row.at.toISOString(),
      who: formatWho(names.get(row.actorId ?? '') ?? null, row.actorKind),
      description: describeAction(row.action, detail, result),
      target: typeof detail.name === 'string' ? showBidiControls(detail.name) : '',
      result: results[result],
    }
  })
}
