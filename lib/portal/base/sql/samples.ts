/** Raw SQL: writes samples of servers, hundreds at a time, and reads them as figures. */
import 'server-only'
import { Prisma, type Sample } from '@/prisma/generated/portal/client'
import { db } from '../db'
import { among, dialect } from './dialect'

/**
 * Raw because Prisma has no upsert of many rows. Of two checks in the same minute, a failed one counts, with the newer figures. A
 * deleted server gets no samples.
 */
export async function upsertSamples(samples: readonly Sample[]): Promise<void> {
  await db().$executeRaw`
    INSERT INTO "Sample" ("serverId", "at", "reachable", "diskUsed", "diskTotal", "memUsed", "memTotal", "updates", "load")
    SELECT "value"->>'serverId', CAST("value"->>'at' AS INTEGER), CAST("value"->>'reachable' AS BOOLEAN),
      ${Prisma.join(measures.map((name) => Prisma.raw(`CAST("value"->>'${name}' AS DOUBLE PRECISION)`)))}
    FROM ${dialect().items(mergeMinutes(samples), 'sample')} WHERE "value"->>'serverId' IN (SELECT "id" FROM "Server")
    ON CONFLICT ("serverId", "at") DO UPDATE SET "reachable" = "Sample"."reachable" AND excluded."reachable",
      ${Prisma.join(measures.map((name) => Prisma.raw(`"${name}" = coalesce(excluded."${name}", "Sample"."${name}")`)))}`
}

const measures = ['diskUsed', 'diskTotal', 'memUsed', 'memTotal', 'updates', 'load'] as const

/** PostgreSQL refuses to change a row twice in a statement. */
function mergeMinutes(samples: readonly Sample[]): Sample[] {
  const merged = new Map<string, Sample>()
  for (const sample of samples) {
    const key = `${sample.at} ${sample.serverId}`
    const earlier = merged.get(key)
    merged.set(key, earlier ? merge(earlier, sample) : sample)
  }
  return [...merged.values()]
}

const merge = (earlier: Sample, later: Sample): Sample => ({
  ...later,
  reachable: earlier.reachable && later.reachable,
  ...Object.fromEntries(measures.map((name) => [name, later[name] ?? earlier[name]])),
})

/** from: minutes since 1970. */
export type SlotLine = [
  from: number,
  checks: number,
  reachable: number,
  diskUsed: number | null,
  diskTotal: number | null,
  memUsed: number | null,
  memTotal: number | null,
]

/** Raw because Prisma groups by columns only, not by a computed slot. Oldest first; slots without samples are left out. */
export async function readSlotLines(serverId: string, step: number, start: number): Promise<SlotLine[]> {
  const values = Prisma.sql`"from", "checks", "up", "diskUsed", "diskTotal", "memUsed", "memTotal"`
  const [row] = await db().$queryRaw<[{ lines: string }]>`
    SELECT ${dialect().lines(values, Prisma.sql`"from"`)} AS "lines"
    FROM (
      SELECT "at" - "at" % ${step} AS "from", count(*) AS "checks", sum(CASE WHEN "reachable" THEN 1 ELSE 0 END) AS "up", avg("diskUsed") AS "diskUsed",
        max("diskTotal") AS "diskTotal", avg("memUsed") AS "memUsed", max("memTotal") AS "memTotal"
      FROM "Sample" WHERE "serverId" = ${serverId} AND "at" >= ${start} GROUP BY 1
    ) AS "slots"`
  return JSON.parse(row.lines)
}

/** Shares of what there is, 0–1, how many updates wait, and the load of 15 minutes; null if the service did not report them. */
export type MeasureLine = [serverId: string, disk: number | null, memory: number | null, updates: number | null, load: number | null]

/**
 * Raw because this looks the newest measured sample of each server up by index; Prisma would read them all. Of a team's servers, or of some of
 * them, those measured since `start`, in minutes since 1970.
 */
export async function readMeasureLines(teamId: string, start: number, serverIds?: readonly string[]): Promise<MeasureLine[]> {
  const some = serverIds ? Prisma.sql`AND "Server"."id" ${among(serverIds)}` : Prisma.empty
  const share = (used: string, total: string) => Prisma.raw(`"newest"."${used}" / nullif("newest"."${total}", 0)`)
  const values = Prisma.sql`"Server"."id", ${share('diskUsed', 'diskTotal')}, ${share('memUsed', 'memTotal')}, "newest"."updates", "newest"."load"`
  const [row] = await db().$queryRaw<[{ lines: string }]>`
    SELECT ${dialect().lines(values, Prisma.sql`"Server"."id"`)} AS "lines"
    FROM "Server" JOIN "Sample" AS "newest" ON "newest"."serverId" = "Server"."id" AND "newest"."at" = (
      SELECT "at" FROM "Sample" AS "each" WHERE "each"."serverId" = "Server"."id" AND "each"."at" >= ${start}
        AND ("each"."diskUsed" IS NOT NULL OR "each"."memUsed" IS NOT NULL) ORDER BY "at" DESC LIMIT 1)
    WHERE "Server"."teamId" = ${teamId} AND "Server"."goneAt" IS NULL ${some}`
  return JSON.parse(row.lines)
}

/** from: minutes since 1970. */
export type ReachLine = [serverId: string, from: number, checks: number, reachable: number]

/** Raw because Prisma groups by columns only, not by a computed slot of `step` minutes. Slots without samples are left out. */
export async function readReachLines(serverIds: readonly string[], step: number, start: number): Promise<ReachLine[]> {
  const values = Prisma.sql`"serverId", "from", "checks", "up"`
  const [row] = await db().$queryRaw<[{ lines: string }]>`
    SELECT ${dialect().lines(values, Prisma.sql`"serverId", "from"`)} AS "lines"
    FROM (
      SELECT "serverId", "at" - "at" % ${step} AS "from", count(*) AS "checks", sum(CASE WHEN "reachable" THEN 1 ELSE 0 END) AS "up"
      FROM "Sample" WHERE "serverId" ${among(serverIds)} AND "at" >= ${start} GROUP BY 1, 2
    ) AS "slots"`
  return JSON.parse(row.lines)
}

/**
 * Raw because Prisma cannot delete by subquery. Keeps the newest sample of each hour before `whole`, deletes all before `gone`.
 * Returns how many were deleted.
 */
export function deleteThinned(serverIds: readonly string[], { whole, gone, hour }: { whole: number; gone: number; hour: number }) {
  return db().$executeRaw`
    DELETE FROM "Sample" WHERE "serverId" ${among(serverIds)} AND "at" < ${whole}
      AND ("at" < ${gone} OR EXISTS (
        SELECT 1 FROM "Sample" AS "newer" WHERE "newer"."serverId" = "Sample"."serverId"
          AND "newer"."at" > "Sample"."at" AND "newer"."at" < "Sample"."at" - "Sample"."at" % ${hour} + ${hour}))`
}

/** Raw because this looks each server up once by index; Prisma's relation filter reads every sample. */
export async function findServersSampledBefore(minute: number): Promise<string[]> {
  const rows = await db().$queryRaw<{ id: string }[]>`
    SELECT "id" FROM "Server" WHERE EXISTS (SELECT 1 FROM "Sample" WHERE "serverId" = "Server"."id" AND "at" < ${minute})`
  return rows.map(({ id }) => id)
}
