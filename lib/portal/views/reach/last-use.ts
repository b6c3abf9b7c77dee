/** When members last used what they can do, from the audit log. */
import 'server-only'
import type { ReachRow } from '@/lib/portal/access/reach/compute'
import type { Within } from '@/lib/portal/access/reach/read'
import { idOf, type ReachTeam } from '@/lib/portal/access/reach/team'
import { db } from '@/lib/portal/base/db'
import type { Prisma } from '@/prisma/generated/portal/client'

/** objectId null: somewhere within what the table is about. */
type Use = { actorId: string; action: string; objectId: string | null; connectionId: string | null; at: number }

/** ms since 1970 of the newest entry that a row allows; null if there is none. */
export type LastUse = (row: ReachRow) => number | null

/** Two queries for all rows: for those over everything the place of a use does not matter, and most uses are theirs. */
export async function readLastUses(teamId: string, team: ReachTeam, within: Within, rows: readonly ReachRow[]): Promise<LastUse> {
  const actorsOf = (everything: boolean) => [...new Set(rows.filter((row) => row.everything === everything).map(({ userId }) => userId))]
  const uses = usesWithin(teamId, team, within)
  const [anywhere, somewhere] = await Promise.all([readNewest(uses, actorsOf(true), false), readNewest(uses, actorsOf(false), true)])
  const [wide, narrow] = [indexByActor(anywhere), indexByActor(somewhere)]
  const known = new Set(team.keys.map(({ id }) => id))
  return (row) => {
    const own = (row.everything ? wide : narrow).get(row.userId) ?? []
    const times = own.filter((use) => isThrough(row, use, known) && isOf(row, use)).map(({ at }) => at)
    return times.length === 0 ? null : times.reduce((newest, at) => Math.max(newest, at))
  }
}

/** Refusals are no uses. */
const usesWithin = (teamId: string, team: ReachTeam, within: Within): Prisma.AuditRowWhereInput => ({
  teamId,
  actorKind: 'user',
  objectKind: { in: ['server', 'site', 'connection'] },
  stage: { not: 'outcome' },
  outcome: { not: 'denied' },
  ...narrow(team, within),
})

function narrow(team: ReachTeam, within: Within): Prisma.AuditRowWhereInput {
  if (within === null) return {}
  if ('connectionId' in within) return { connectionId: within.connectionId }
  return { objectId: { in: team.places.map(({ place }) => idOf(place)) } }
}

/** The newest of each actor, action and connection, apart for each place if the place matters. */
async function readNewest(uses: Prisma.AuditRowWhereInput, actorIds: string[], byPlace: boolean): Promise<Use[]> {
  if (actorIds.length === 0) return []
  const by = ['actorId', 'action', 'connectionId', ...(byPlace ? (['objectId'] as const) : [])] as const
  const groups = await db().auditRow.groupBy({ by: [...by], where: { ...uses, actorId: { in: actorIds } }, _max: { at: true } })
  return groups.map(({ actorId, action, objectId = null, connectionId, _max }) => ({
    actorId: actorId ?? '',
    action,
    objectId,
    connectionId,
    at: _max.at?.getTime() ?? 0,
  }))
}

function indexByActor(uses: readonly Use[]): ReadonlyMap<string, readonly Use[]> {
  const index = new Map<string, Use[]>()
  for (const use of uses) {
    const known = index.get(use.actorId)
    if (known) known.push(use)
    else index.set(use.actorId, [use])
  }
  return index
}

function isOf({ operations, places }: ReachRow, { action, objectId }: Use): boolean {
  if (objectId === null) return Object.values(operations).some((ids: ReadonlySet<string>) => ids.has(action))
  const kind = places.get(objectId)?.place.kind
  return operations.everywhere.has(action) || (kind !== undefined && operations[kind].has(action))
}

/** What was done through a connection that was removed since then needed no loan. */
function isThrough({ keyIds, loanId }: ReachRow, { connectionId }: Use, known: ReadonlySet<string>): boolean {
  if (connectionId !== null && keyIds.includes(connectionId)) return true
  return loanId === null && (connectionId === null || !known.has(connectionId))
}
