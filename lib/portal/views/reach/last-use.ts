/** When members last used what they can do, from the audit log. */
import 'server-only'
import type { ReachRow } from '@/lib/portal/access/reach/compute'
import type { Within } from '@/lib/portal/access/reach/read'
import type { ReachTeam } from '@/lib/portal/access/reach/team'
import { db } from '@/lib/portal/base/db'

type Use = { action: string; objectId: string; connectionId: string | null; at: number }

/** ms since 1970 of the newest entry that a row allows; null if there is none. */
export type LastUse = (row: ReachRow) => number | null

/** One query for all rows. Refusals are no uses. */
export async function readLastUses(teamId: string, team: ReachTeam, within: Within, userIds: readonly string[]): Promise<LastUse> {
  const groups = await db().auditRow.groupBy({
    by: ['actorId', 'action', 'objectId', 'connectionId'],
    where: {
      teamId,
      actorKind: 'user',
      actorId: { in: [...userIds] },
      objectKind: { in: ['server', 'site', 'connection'] },
      stage: { not: 'outcome' },
      outcome: { not: 'denied' },
      ...narrow(team, within),
    },
    _max: { at: true },
  })
  const uses = new Map<string, Use[]>()
  for (const { actorId, action, objectId, connectionId, _max } of groups) {
    const of = uses.get(actorId ?? '') ?? []
    of.push({ action, objectId, connectionId, at: _max.at?.getTime() ?? 0 })
    uses.set(actorId ?? '', of)
  }
  const known = new Set(team.keys.map(({ id }) => id))
  return (row) => {
    const times = (uses.get(row.userId) ?? []).filter((use) => isThrough(row, use, known) && isOf(row, use)).map(({ at }) => at)
    return times.length === 0 ? null : times.reduce((newest, at) => Math.max(newest, at))
  }
}

const narrow = (team: ReachTeam, within: Within) => {
  if (within === null) return {}
  if ('connectionId' in within) return { connectionId: within.connectionId }
  return { objectId: { in: team.places.map(({ place }) => (place.kind === 'server' ? place.serverId : place.siteId)) } }
}

function isOf({ operations, places }: ReachRow, { action, objectId }: Use): boolean {
  const kind = places.get(objectId)?.place.kind
  return operations.everywhere.has(action) || (kind !== undefined && operations[kind].has(action))
}

/** What was done through a connection that was removed since then needed no loan. */
function isThrough({ keyIds, loanId }: ReachRow, { connectionId }: Use, known: ReadonlySet<string>): boolean {
  if (connectionId !== null && keyIds.includes(connectionId)) return true
  return loanId === null && (connectionId === null || !known.has(connectionId))
}
