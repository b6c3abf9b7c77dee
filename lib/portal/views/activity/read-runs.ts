/** The record's rows as runs: what was begun and what came of it side by side, in one query that never looks far. */
import 'server-only'
import { db } from '@/lib/portal/base/db'
import { Prisma } from '@/prisma/generated/portal/client'
import { type ActivityFilter, startOfDay } from './filter'
import { actionsOf, type Kind } from './words'

/** How many rows of the record one page looks through at most, whatever is searched for. */
export const reach = 20_000

/** One run as it stands in the tables; `end*` come from its outcome row, names from the rows that still exist. */
export type RunRow = {
  seq: number | bigint
  at: Date | string
  requestId: string
  actorKind: string
  actorId: string | null
  actorName: string | null
  action: string
  objectKind: string
  objectId: string
  detail: string
  result: string
  endAt: Date | string | null
  endDetail: string | null
  connectionLabel: string | null
  serverName: string | null
  siteDomain: string | null
  personName: string | null
  jobId: string | null
  jobProblem: string | null
}

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
  const rows = await db().$queryRaw<RunRow[]>(queryRuns(scope, filter, bounds, limit))
  return { rows, searchOn: bounds.more ? bounds.floor : null }
}

/** The query itself: one walk along the table's own key, everything else looked up by key or index. Older rows call a question `failed`. */
export function queryRuns(
  scope: RunScope,
  filter: ActivityFilter,
  { ceiling, floor }: Pick<Bounds, 'ceiling' | 'floor'>,
  limit: number,
): Prisma.Sql {
  return Prisma.sql`
    SELECT run.* FROM (
      SELECT i.seq, i.at, i.requestId, i.actorKind, i.actorId, u.name AS actorName, i.action, i.objectKind, i.objectId, i.detail,
        CASE WHEN i.stage = 'event' THEN i.outcome
             WHEN o.seq IS NULL THEN 'open'
             WHEN o.outcome = 'unknown' AND ${member('o', 'state')} = 'interrupted' THEN 'interrupted'
             WHEN o.outcome = 'failed' AND ${member('o', 'code')} = 'host_key_unconfirmed' THEN 'asked'
             ELSE o.outcome END AS result,
        o.at AS endAt, o.detail AS endDetail, c.label AS connectionLabel, s.name AS serverName, w.domain AS siteDomain,
        p.name AS personName, j.id AS jobId, j.problemSentence AS jobProblem
      FROM AuditRow i
      LEFT JOIN AuditRow o ON i.stage = 'intent' AND o.seq = (${newestOutcome})
      LEFT JOIN User u ON u.id = COALESCE(i.actorId, o.actorId)
      LEFT JOIN Connection c ON c.id = i.connectionId AND c.teamId = ${scope.teamId}
      LEFT JOIN Server s ON i.objectKind = 'server' AND s.id = i.objectId AND s.teamId = ${scope.teamId} AND s.goneAt IS NULL
      LEFT JOIN Site w ON i.objectKind = 'site' AND w.id = i.objectId AND w.teamId = ${scope.teamId} AND w.goneAt IS NULL
      LEFT JOIN User p ON i.objectKind = 'user' AND p.id = i.objectId
      LEFT JOIN Job j ON j.id = i.requestId AND j.teamId = ${scope.teamId}
      WHERE i.seq < ${ceiling} AND i.seq >= ${floor} AND i.stage <> 'outcome'
        AND (+i.teamId = ${scope.teamId} OR (${scope.teamless ? 1 : 0} = 1 AND +i.teamId IS NULL))
        ${narrow(filter)}
    ) AS run
    ${filter.outcome === null ? Prisma.empty : Prisma.sql`WHERE run.result = ${filter.outcome}`}
    ORDER BY run.seq DESC LIMIT ${limit}`
}

/** An id that was used again belongs to another run: outcomes count up to where that one begins. */
const newestOutcome = Prisma.sql`
  SELECT MAX(e.seq) FROM AuditRow e
  WHERE e.requestId = i.requestId AND e.stage = 'outcome' AND e.action = i.action AND e.teamId IS i.teamId AND e.seq > i.seq
    AND e.seq < COALESCE((SELECT MIN(n.seq) FROM AuditRow n
      WHERE n.requestId = i.requestId AND n.stage = 'intent' AND n.action = i.action AND n.seq > i.seq), 9007199254740991)`

function narrow({ person, kind, target }: ActivityFilter): Prisma.Sql {
  const parts = [
    person === null ? null : Prisma.sql`AND (i.actorId = ${person} OR (i.objectKind = 'user' AND i.objectId = ${person}))`,
    kind === null ? null : narrowToKind(kind),
    target === '' ? null : narrowToTarget(target),
  ].filter((part) => part !== null)
  return parts.length > 0 ? Prisma.join(parts, ' ') : Prisma.empty
}

function narrowToTarget(text: string): Prisma.Sql {
  const names = [
    member('i', 'name'),
    member('i', 'label'),
    member('i', 'field.name'),
    Prisma.raw('s.name'),
    Prisma.raw('w.domain'),
    Prisma.raw('p.name'),
  ]
  const hits = names.map((name) => Prisma.sql`instr(lower(${name}), lower(${text})) > 0`)
  return Prisma.sql`AND (${Prisma.join(hits, ' OR ')})`
}

/** A member of what was noted beside a row. A row that somebody spoilt must not keep the others from being read. */
function member(row: 'i' | 'o', name: 'name' | 'label' | 'field.name' | 'state' | 'code'): Prisma.Sql {
  return Prisma.raw(`CASE WHEN json_valid(${row}.detail) THEN json_extract(${row}.detail, '$."${name}"') END`)
}

function narrowToKind(kind: Kind): Prisma.Sql {
  const { ids, prefixes } = actionsOf(kind)
  const begins = prefixes.map((prefix) => Prisma.sql`substr(i.action, 1, ${prefix.length}) = ${prefix}`)
  return Prisma.sql`AND (${Prisma.join([...(ids.length > 0 ? [Prisma.sql`i.action IN (${Prisma.join([...ids])})`] : []), ...begins], ' OR ')})`
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
  const floor = Math.max(first.seq, ceiling - reach)
  return { ceiling, floor, more: floor > first.seq }
}
