/** Raw SQL: writes samples of servers, hundreds at a time, and reads them as figures. */
import 'server-only'
import type { Sample } from '@/prisma/generated/portal/client'
import { db } from '../db'

/**
 * Raw because Prisma has no upsert of many rows. Of two checks in the same minute, a failed one counts, with the newer figures. A
 * deleted server gets no samples.
 */
export async function upsertSamples(samples: readonly Sample[]): Promise<void> {
  await db().$executeRaw`
    INSERT INTO "Sample" ("serverId", "at", "reachable", "diskUsed", "diskTotal", "memUsed", "memTotal")
    SELECT value->>'serverId', value->>'at', value->>'reachable', value->>'diskUsed', value->>'diskTotal', value->>'memUsed',
      value->>'memTotal'
    FROM json_each(${JSON.stringify(samples)}) WHERE value->>'serverId' IN (SELECT "id" FROM "Server")
    ON CONFLICT ("serverId", "at") DO UPDATE SET "reachable" = min("reachable", excluded."reachable"),
      "diskUsed" = coalesce(excluded."diskUsed", "diskUsed"), "diskTotal" = coalesce(excluded."diskTotal", "diskTotal"),
      "memUsed" = coalesce(excluded."memUsed", "memUsed"), "memTotal" = coalesce(excluded."memTotal", "memTotal")`
}

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
  const [row] = await db().$queryRaw<[{ lines: string }]>`
    SELECT json_group_array(json_array("from", "checks", "up", "diskUsed", "diskTotal", "memUsed", "memTotal")) AS "lines"
    FROM (
      SELECT "at" - "at" % ${step} AS "from", count(*) AS "checks", sum("reachable") AS "up", avg("diskUsed") AS "diskUsed",
        max("diskTotal") AS "diskTotal", avg("memUsed") AS "memUsed", max("memTotal") AS "memTotal"
      FROM "Sample" WHERE "serverId" = ${serverId} AND "at" >= ${start} GROUP BY "from" ORDER BY "from"
    )`
  return JSON.parse(row.lines)
}

/**
 * Raw because Prisma cannot delete by subquery. Keeps the newest sample of each hour before `whole`, deletes all before `gone`.
 * Returns how many were deleted.
 */
export function deleteThinned(serverIds: readonly string[], { whole, gone, hour }: { whole: number; gone: number; hour: number }) {
  return db().$executeRaw`
    DELETE FROM "Sample" WHERE "serverId" IN (SELECT value FROM json_each(${JSON.stringify(serverIds)})) AND "at" < ${whole}
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
