/** Servers whose disk is nearly full, or soon will be. */
import 'server-only'
import { listUsableConnections, ownerOf } from '@/lib/portal/access/connections'
import { db } from '@/lib/portal/base/db'
import { whileUnchanged } from '@/lib/portal/base/reading'
import type { Actor } from '@/lib/portal/identity/actor'
import { minuteOf } from '@/lib/portal/subjects/samples/sample'
import { readFullInDays } from './disk-outlook'

/** share: 0–1. days: until it is full; null where nothing can be said. since: the first sample in a row that was as full, ISO. */
export type FullDisk = { id: string; name: string; share: number; days: number | null; since: string | null }

type Fullest = Pick<FullDisk, 'id' | 'name' | 'share'>

// Below the first nothing is said at all, above the second whatever the trend.
const [lookedAtShare, fullShare] = [0.75, 0.9]
const soonDays = 14
const most = 20
const newestMinutes = 24 * 60

/** The fullest first, at most 20, as they were found last within a day. From the samples: no service is asked. */
export function listFullDisks(actor: Actor, now = Date.now()): Promise<FullDisk[]> {
  return whileUnchanged(`full disks ${actor.team.id} ${ownerOf(actor)}`, async () => {
    const found = await readFullest(actor, minuteOf(now))
    const disks = await Promise.all(found.map(async (disk) => ({ ...disk, days: await readFullInDays(disk.id, minuteOf(now)) })))
    const full = disks.filter(({ share, days }) => share >= fullShare || (days !== null && days <= soonDays))
    return Promise.all(full.map(async (disk) => ({ ...disk, since: await readSince(disk) })))
  })
}

/** Looks at one sample of each server: the newest that knows the disk. */
async function readFullest(actor: Actor, now: number): Promise<Fullest[]> {
  const usable = JSON.stringify((await listUsableConnections(actor)).map(({ id }) => id))
  return db().$queryRaw<Fullest[]>`
    SELECT "Server"."id", "Server"."name", "diskUsed" / "diskTotal" AS "share"
    FROM "Server" JOIN "Sample" ON "Sample".rowid = (
      SELECT "newest".rowid FROM "Sample" AS "newest"
      WHERE "newest"."serverId" = "Server"."id" AND "newest"."at" >= ${now - newestMinutes} AND "newest"."diskUsed" IS NOT NULL
        AND "newest"."diskTotal" > 0
      ORDER BY "newest"."at" DESC LIMIT 1)
    WHERE "teamId" = ${actor.team.id} AND "goneAt" IS NULL AND "diskUsed" >= ${lookedAtShare} * "diskTotal"
      AND EXISTS (SELECT 1 FROM "ServerOnConnection" WHERE "ServerOnConnection"."serverId" = "Server"."id"
        AND "connectionId" IN (SELECT value FROM json_each(${usable})))
    ORDER BY "share" DESC, "Server"."id" LIMIT ${most}`
}

/** Since when the disk has been above the share that it is judged by. */
async function readSince({ id, share }: Fullest): Promise<string | null> {
  const least = share >= fullShare ? fullShare : lookedAtShare
  const [row] = await db().$queryRaw<[{ at: number | null }]>`
    SELECT min("at") AS "at" FROM "Sample" WHERE "serverId" = ${id} AND "diskUsed" >= ${least} * "diskTotal" AND "at" > (
      SELECT coalesce(max("at"), 0) FROM "Sample" WHERE "serverId" = ${id} AND "diskUsed" < ${least} * "diskTotal")`
  return row.at === null ? null : new Date(Number(row.at) * 60_000).toISOString()
}
