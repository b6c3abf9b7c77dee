/** Raw SQL: the audit log's rows combined into runs, each intent with its outcome. */
import 'server-only'
import { Prisma } from '@/prisma/generated/portal/client'
import { db } from '../db'
import { dialect } from './dialect'

/** One run as stored; `end*` come from its outcome row, names from rows that still exist. */
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
  connectionId: string | null
  connectionLabel: string | null
  serverName: string | null
  siteDomain: string | null
  personName: string | null
  jobId: string | null
  jobProblem: string | null
}

/** The filter for runs. actions: whole ids or prefixes of ids; null means any. target: part of its name; '' means any. */
export type RunQuery = {
  teamId: string
  /** Includes rows without a team. */
  teamless: boolean
  person: string | null
  actions: { ids: readonly string[]; prefixes: readonly string[] } | null
  target: string
  /** The opaque id of what it was done to; null means any. */
  objectId: string | null
  /** What was done through that connection, or to it; null means any. */
  connectionId: string | null
  outcome: string | null
  /** Row numbers: below `ceiling`, not below `floor`. */
  ceiling: number
  floor: number
  limit: number
}

/**
 * Raw because a run is two rows of the log joined by more than a key, with names from six tables. Walks the log once by its primary
 * key and looks up everything else by key or index. Older rows store `asked` as `failed`.
 */
export function composeRunQuery(wanted: RunQuery): Prisma.Sql {
  const { teamId, teamless, outcome, ceiling, floor, limit } = wanted
  const team = dialect().unindexed(Prisma.raw('i."teamId"'))
  return Prisma.sql`
    SELECT run.* FROM (
      SELECT i."seq", i."at", i."requestId", i."actorKind", i."actorId", u."name" AS "actorName", i."action", i."objectKind", i."objectId",
        i."detail",
        CASE WHEN i."stage" = 'event' THEN CAST(i."outcome" AS TEXT)
             WHEN o."seq" IS NULL THEN 'open'
             WHEN o."outcome" = 'unknown' AND ${member('o', 'state')} = 'interrupted' THEN 'interrupted'
             WHEN o."outcome" = 'failed' AND ${member('o', 'code')} = 'cancelled' THEN 'cancelled'
             WHEN o."outcome" = 'failed' AND ${member('o', 'code')} = 'host_key_unconfirmed' THEN 'asked'
             ELSE CAST(o."outcome" AS TEXT) END AS "result",
        o."at" AS "endAt", o."detail" AS "endDetail", c."id" AS "connectionId", c."label" AS "connectionLabel", s."name" AS "serverName", w."domain" AS "siteDomain",
        p."name" AS "personName", j."id" AS "jobId", j."problemSentence" AS "jobProblem"
      FROM "AuditRow" i
      LEFT JOIN "AuditRow" o ON i."stage" = 'intent' AND o."seq" = (${newestOutcome})
      LEFT JOIN "User" u ON u."id" = COALESCE(i."actorId", o."actorId")
      LEFT JOIN "Connection" c ON c."id" = i."connectionId" AND c."teamId" = ${teamId}
      LEFT JOIN "Server" s ON i."objectKind" = 'server' AND s."id" = i."objectId" AND s."teamId" = ${teamId} AND s."goneAt" IS NULL
      LEFT JOIN "Site" w ON i."objectKind" = 'site' AND w."id" = i."objectId" AND w."teamId" = ${teamId} AND w."goneAt" IS NULL
      LEFT JOIN "User" p ON i."objectKind" = 'user' AND p."id" = i."objectId" AND (p."id" = i."actorId" OR EXISTS (
        SELECT 1 FROM "Membership" m WHERE m."userId" = p."id" AND m."teamId" = ${teamId}
      ))
      LEFT JOIN "Job" j ON j."id" = i."requestId" AND j."teamId" = ${teamId}
      WHERE i."seq" < CAST(${ceiling} AS BIGINT) AND i."seq" >= CAST(${floor} AS BIGINT) AND i."stage" <> 'outcome'
        AND (${team} = ${teamId} OR (${teamless ? 1 : 0} = 1 AND ${team} IS NULL))
        ${narrow(wanted)}
    ) AS run
    ${outcome === null ? Prisma.empty : Prisma.sql`WHERE run."result" = ${outcome}`}
    ORDER BY run."seq" DESC LIMIT ${limit}`
}

/** A reused request id belongs to another run, so outcomes count only up to the start of that run. */
const newestOutcome = Prisma.sql`
  SELECT MAX(e."seq") FROM "AuditRow" e
  WHERE e."requestId" = i."requestId" AND e."stage" = 'outcome' AND e."action" = i."action" AND e."teamId" IS NOT DISTINCT FROM i."teamId"
    AND e."seq" > i."seq"
    AND e."seq" < COALESCE((SELECT MIN(n."seq") FROM "AuditRow" n
      WHERE n."requestId" = i."requestId" AND n."stage" = 'intent' AND n."action" = i."action" AND n."seq" > i."seq"), 9007199254740991)`

function narrow({ person, actions, target, objectId, connectionId }: RunQuery): Prisma.Sql {
  const parts = [
    person === null ? null : narrowToPerson(person),
    actions === null ? null : narrowToActions(actions),
    target === '' ? null : narrowToTarget(target),
    objectId === null ? null : Prisma.sql`AND i."objectId" = ${objectId}`,
    connectionId === null ? null : narrowToConnection(connectionId),
  ].filter((part) => part !== null)
  return parts.length > 0 ? Prisma.join(parts, ' ') : Prisma.empty
}

/** What they did, also if the log knew only afterwards that it was them, and what was done to their account. */
const narrowToPerson = (person: string): Prisma.Sql => Prisma.sql`
  AND (i."actorId" = ${person} OR (i."objectKind" = 'user' AND i."objectId" = ${person}) OR (i."actorId" IS NULL AND EXISTS (
    SELECT 1 FROM "AuditRow" a
    WHERE a."requestId" = i."requestId" AND a."stage" = 'outcome' AND a."action" = i."action" AND a."teamId" IS NOT DISTINCT FROM i."teamId"
      AND a."actorId" = ${person}
  )))`

const narrowToConnection = (id: string): Prisma.Sql => Prisma.sql`
  AND (i."connectionId" = ${id} OR (i."objectKind" = 'connection' AND i."objectId" = ${id}))`

function narrowToTarget(text: string): Prisma.Sql {
  const names = [
    member('i', 'name'),
    member('i', 'label'),
    member('i', 'field.name'),
    Prisma.raw('s."name"'),
    Prisma.raw('w."domain"'),
    Prisma.raw('p."name"'),
  ]
  const part = `%${text.replace(/[\\%_]/g, '\\$&')}%`
  const hits = names.map((name) => Prisma.sql`lower(${name}) LIKE lower(${part}) ESCAPE '\\'`)
  return Prisma.sql`AND (${Prisma.join(hits, ' OR ')})`
}

/** A member of the detail. Tolerates invalid JSON, because one tampered row must not make the others unreadable. */
function member(row: 'i' | 'o', name: 'name' | 'label' | 'field.name' | 'state' | 'code'): Prisma.Sql {
  return dialect().member(Prisma.raw(`${row}."detail"`), name)
}

function narrowToActions({ ids, prefixes }: NonNullable<RunQuery['actions']>): Prisma.Sql {
  const begins = prefixes.map((prefix) => Prisma.sql`substr(i."action", 1, ${prefix.length}) = ${prefix}`)
  return Prisma.sql`AND (${Prisma.join([...(ids.length > 0 ? [Prisma.sql`i."action" IN (${Prisma.join([...ids])})`] : []), ...begins], ' OR ')})`
}

/** Raw because the query is raw. */
export const readRunRows = (query: Prisma.Sql): Promise<RunRow[]> => db().$queryRaw<RunRow[]>(query)
