/** Raw SQL: stores a list of servers that a connection returned, hundreds at a time. Statements for one transaction. */
import 'server-only'
import type { Prisma, Server } from '@/prisma/generated/portal/client'
import { db } from '../db'

type Statement = Prisma.PrismaPromise<number>

/** The servers of one service in one team. */
export type Place = { teamId: string; origin: string }

export type ListedMembers = Pick<Server, 'name' | 'hostname' | 'dns' | 'provider' | 'state' | 'hostKey' | 'address'>

/** Raw because Prisma's createMany cannot skip duplicates on SQLite, and a parallel request may insert the same servers. */
export function insertServers(place: Place, rows: readonly (ListedMembers & { id: string; upstreamId: string })[], at: Date): Statement {
  return db().$executeRaw`
    INSERT INTO "Server" ("id", "teamId", "origin", "upstreamId", "name", "hostname", "dns", "provider", "state", "hostKey", "address",
      "createdAt", "listedAt")
    SELECT value->>'id', ${place.teamId}, ${place.origin}, value->>'upstreamId', value->>'name', value->>'hostname', value->>'dns',
      value->>'provider', value->>'state', value->>'hostKey', value->>'address', ${at}, ${at}
    FROM json_each(${JSON.stringify(rows)}) WHERE true ON CONFLICT DO NOTHING`
}

/** Raw because Prisma can only set many rows to the same values, and single updates would take seconds. Keeps values newer than `at`. */
export function updateServers(rows: readonly (ListedMembers & { id: string })[], at: Date): Statement {
  return db().$executeRaw`
    UPDATE "Server" SET "name" = item.value->>'name', "hostname" = item.value->>'hostname', "dns" = item.value->>'dns',
      "provider" = item.value->>'provider', "state" = item.value->>'state', "hostKey" = item.value->>'hostKey',
      "address" = item.value->>'address', "goneAt" = NULL
    FROM json_each(${JSON.stringify(rows)}) AS item WHERE "Server"."id" = item.value->>'id' AND "listedAt" <= ${at}`
}

/** Raw to pass the ids as one parameter: Prisma uses one per id and thus prepares a statement for every list length. */
export function noteListed(place: Place, upstreamIds: readonly string[], at: Date): Statement {
  return db().$executeRaw`
    UPDATE "Server" SET "listedAt" = ${at} WHERE "listedAt" < ${at} AND "teamId" = ${place.teamId} AND "origin" = ${place.origin}
      AND "upstreamId" IN (SELECT value FROM json_each(${JSON.stringify(upstreamIds)}))`
}

/** Raw because Prisma has no upsert of many rows. */
export function linkServers(place: Place, connectionId: string, upstreamIds: readonly string[], at: Date): Statement {
  return db().$executeRaw`
    INSERT INTO "ServerOnConnection" ("serverId", "connectionId", "provenAt")
    SELECT "id", ${connectionId}, ${at} FROM "Server"
    WHERE "teamId" = ${place.teamId} AND "origin" = ${place.origin}
      AND "upstreamId" IN (SELECT value FROM json_each(${JSON.stringify(upstreamIds)}))
    ON CONFLICT DO UPDATE SET "provenAt" = max("provenAt", excluded."provenAt")`
}

/** Raw because returning thousands of ids as one JSON text takes a tenth of the time of Prisma's rows. */
export async function findUnprovenSince(connectionId: string, at: Date): Promise<string[]> {
  const [row] = await db().$queryRaw<[{ ids: string }]>`
    SELECT json_group_array("serverId") AS "ids" FROM "ServerOnConnection" WHERE "connectionId" = ${connectionId} AND "provenAt" < ${at}`
  return JSON.parse(row.ids)
}

/** Raw for the same reason as noteListed. Keeps links verified after `at`. */
export function unlinkServers(connectionId: string, serverIds: readonly string[], at: Date): Statement {
  return db().$executeRaw`
    DELETE FROM "ServerOnConnection" WHERE "connectionId" = ${connectionId} AND "provenAt" < ${at}
      AND "serverId" IN (SELECT value FROM json_each(${JSON.stringify(serverIds)}))`
}

/** Raw for the same reason as noteListed. Marks servers that no connection lists any more as gone. */
export function markUnlistedGone(serverIds: readonly string[], now: Date): Statement {
  return db().$executeRaw`
    UPDATE "Server" SET "goneAt" = ${now} WHERE "goneAt" IS NULL AND "id" IN (SELECT value FROM json_each(${JSON.stringify(serverIds)}))
      AND NOT EXISTS (SELECT 1 FROM "ServerOnConnection" WHERE "serverId" = "Server"."id")`
}
