/** The audit log's rows as runs, each intent next to its outcome, in one query that reads a limited number of rows. */
import 'server-only'
import { db } from '@/lib/portal/base/db'
import { composeRunQuery, type RunRow, readRunRows } from '@/lib/portal/base/sql/runs'
import type { Prisma } from '@/prisma/generated/portal/client'
import { type ActivityFilter, startOfDay } from './filter'
import { actionsOf } from './words'

/** How many rows one page examines at most, whatever the filter. */
export const scanLimit = 20_000

export type { RunRow }

export type RunScope = {
  teamId: string
  /** Includes rows without a team: sign-in attempts with unknown addresses, and what concerns the whole portal. */
  teamless: boolean
  zone: string
}

/**
 * The newest runs first, at most `limit`. Walks the log by row number from the newest requested row and stops after `reach` rows:
 * `searchOn` is then where to continue, and null if everything was examined.
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
  { person, kind, target, outcome }: ActivityFilter,
  { ceiling, floor }: Pick<Bounds, 'ceiling' | 'floor'>,
  limit: number,
): Prisma.Sql {
  const actions = kind === null ? null : actionsOf(kind)
  return composeRunQuery({ teamId, teamless, person, actions, target, outcome, ceiling, floor, limit })
}

type Bounds = {
  /** Row numbers: below `ceiling`, not below `floor`. */
  ceiling: number
  floor: number
  /** Rows that match lie below the floor. */
  more: boolean
}

/** Row numbers and times increase together, so days become row numbers through the index on time. */
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
