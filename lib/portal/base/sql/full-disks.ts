/** Raw SQL: servers whose disk is nearly full, by their newest samples. */
import 'server-only'
import { db } from '../db'
import { among } from './dialect'

/** share: 0–1. */
export type FullestRow = { id: string; name: string; share: number }

type Asked = { teamId: string; connectionIds: readonly string[]; since: number; least: number; limit: number }

/**
 * Raw because Prisma can neither compare two columns nor select the newest row per server. Uses each server's newest sample with disk
 * figures.
 */
export function readFullest({ teamId, connectionIds, since, least, limit }: Asked): Promise<FullestRow[]> {
  return db().$queryRaw<FullestRow[]>`
    SELECT "Server"."id", "Server"."name", "diskUsed" / "diskTotal" AS "share"
    FROM "Server" JOIN "Sample" ON "Sample"."serverId" = "Server"."id" AND "Sample"."at" = (
      SELECT "newest"."at" FROM "Sample" AS "newest"
      WHERE "newest"."serverId" = "Server"."id" AND "newest"."at" >= ${since} AND "newest"."diskUsed" IS NOT NULL
        AND "newest"."diskTotal" > 0
      ORDER BY "newest"."at" DESC LIMIT 1)
    WHERE "teamId" = ${teamId} AND "goneAt" IS NULL AND "diskUsed" >= ${least} * "diskTotal"
      AND EXISTS (SELECT 1 FROM "ServerOnConnection" WHERE "ServerOnConnection"."serverId" = "Server"."id"
        AND "connectionId" ${among(connectionIds)})
    ORDER BY "share" DESC, "Server"."id" LIMIT ${limit}`
}

/**
 * Raw because Prisma cannot compare two columns. The first sample, in minutes since 1970, since which all samples were at or above a
 * share.
 */
export async function readFullSince(serverId: string, least: number): Promise<number | null> {
  const [row] = await db().$queryRaw<[{ at: number | null }]>`
    SELECT min("at") AS "at" FROM "Sample" WHERE "serverId" = ${serverId} AND "diskUsed" >= ${least} * "diskTotal" AND "at" > (
      SELECT coalesce(max("at"), 0) FROM "Sample" WHERE "serverId" = ${serverId} AND "diskUsed" < ${least} * "diskTotal")`
  return row.at === null ? null : Number(row.at)
}
