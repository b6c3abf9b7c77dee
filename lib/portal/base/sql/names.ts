/** Raw SQL: the names of those of many servers or sites that a user may see. */
import 'server-only'
import { db } from '../db'

export type NamedRow = { id: string; name: string }

type Wanted = { teamId: string; ids: readonly string[]; connectionIds: readonly string[] }

/** Raw because there may be thousands of ids: as one JSON text they are one parameter instead of more than the database allows. */
export function findServerNames({ teamId, ids, connectionIds }: Wanted): Promise<NamedRow[]> {
  return db().$queryRaw<NamedRow[]>`
    SELECT "id", "name" FROM "Server"
    WHERE "teamId" = ${teamId} AND "goneAt" IS NULL AND "id" IN (SELECT value FROM json_each(${JSON.stringify(ids)}))
      AND EXISTS (SELECT 1 FROM "ServerOnConnection" WHERE "serverId" = "Server"."id"
        AND "connectionId" IN (SELECT value FROM json_each(${JSON.stringify(connectionIds)})))
    ORDER BY "name", "id"`
}

/** Raw for the same reason as findServerNames. */
export function findSiteNames({ teamId, ids, connectionIds }: Wanted): Promise<NamedRow[]> {
  return db().$queryRaw<NamedRow[]>`
    SELECT "id", "domain" AS "name" FROM "Site"
    WHERE "teamId" = ${teamId} AND "goneAt" IS NULL AND "id" IN (SELECT value FROM json_each(${JSON.stringify(ids)}))
      AND EXISTS (SELECT 1 FROM "SiteOnConnection" WHERE "siteId" = "Site"."id"
        AND "connectionId" IN (SELECT value FROM json_each(${JSON.stringify(connectionIds)})))
    ORDER BY "domain", "id"`
}
