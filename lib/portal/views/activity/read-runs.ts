/** The record's rows as runs: what was begun and what came of it side by side, in one query that never looks far. */
import 'server-only'
import { db } from '@/lib/portal/base/db'
import { composeRunQuery, type RunRow, readRunRows } from '@/lib/portal/base/sql/runs'
import type { Prisma } from '@/prisma/generated/portal/client'
import { type ActivityFilter, startOfDay } from './filter'
import { actionsOf } from './words'

/** How many rows of the record one page looks through at most, whatever is searched for. */
export const scanLimit = 20_000

export type { RunRow }

export type RunScope = {
  teamId: string
  /** Rows of no team too: tries to sign in with an address nobody has, and what concerns the whole portal. */
  teamless: boolean
  zone: string
}

/**
 * The newest runs first, at most `limit`. Walks the record by its row numbers from the newest asked for and gives up
 * after `reach` rows: `searchOn` is then where to go on, and null where everything was looked at.
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
  /** Row numbers: below the one, not below the other. */
  ceiling: number
  floor: number
  /** Rows that were asked for lie below the floor. */
  more: boolean
}

/** Row numbers and times rise together, so days become numbers by the index on time. */
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
