/** Reads the audit log as runs, each intent with its outcome, in one query over a limited number of rows. */
import 'server-only'
import { startOfDay } from '@/lib/portal/base/days'
import { db } from '@/lib/portal/base/db'
import { composeRunQuery, type RunRow, readRunRows } from '@/lib/portal/base/sql/runs'
import type { Prisma } from '@/prisma/generated/portal/client'
import type { ActivityFilter } from './filter'
import { actionsOf } from './words'

/** The maximum number of rows that one page examines, whatever the filter. */
export const scanLimit = 20_000

export type { RunRow }

export type RunScope = {
  teamId: string
  /** Includes rows without a team: sign-in attempts with unknown addresses, and events that concern the whole portal. */
  teamless: boolean
  zone: string
}

/**
 * The newest runs first, at most `limit`. Walks the log from the newest requested row and stops after `reach` rows: `searchOn` is then
 * the row number to continue from, and null if everything was examined.
 */
export async function readRuns(
  scope: RunScope,
  filter: ActivityFilter,
  limit: number,
): Promise<{ rows: RunRow[]; searchOn: number | null }> {
  const bounds = await findBounds(filter, scope.zone)
  const rows = await readRunRows(queryRuns(scope, filter, bounds, limit))
  return { rows, searchOn: bounds.more ? bounds.floor : null }
}

/** The query itself. */
export function queryRuns(
  { teamId, teamless }: RunScope,
  { person, kind, target, object, connection, outcome }: ActivityFilter,
  { ceiling, floor }: Pick<Bounds, 'ceiling' | 'floor'>,
  limit: number,
): Prisma.Sql {
  const actions = kind === null ? null : actionsOf(kind)
  return composeRunQuery({
    teamId,
    teamless,
    person,
    actions,
    target,
    objectId: object,
    connectionId: connection,
    outcome,
    ceiling,
    floor,
    limit,
  })
}

type Bounds = {
  /** Row numbers: below `ceiling`, not below `floor`. */
  ceiling: number
  floor: number
  /** Whether matching rows may exist below the floor. */
  more: boolean
}

/** Row numbers and times increase together, so the index on time converts days to row numbers. */
async function findBounds({ from, to, before }: ActivityFilter, zone: string): Promise<Bounds> {
  const [last, first] = await Promise.all([
    db().auditRow.findFirst({
      where: to === null ? {} : { at: { lt: startOfDay(to, zone, 1) } },
      orderBy: to === null ? [{ seq: 'desc' }] : [{ at: 'desc' }, { seq: 'desc' }],
      select: { seq: true },
    }),
    db().auditRow.findFirst({
      where: from === null ? {} : { at: { gte: startOfDay(from, zone) } },
      orderBy: from === null ? [{ seq: 'asc' }] : [{ at: 'asc' }, { seq: 'asc' }],
      select: { seq: true },
    }),
  ])
  if (!last || !first) return { ceiling: 0, floor: 0, more: false }
  const ceiling = Math.min(last.seq + 1, before ?? Number.POSITIVE_INFINITY)
  const floor = Math.max(first.seq, ceiling - scanLimit)
  return { ceiling, floor, more: floor > first.seq }
}
