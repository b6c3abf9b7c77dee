/** Raw SQL: the names of those of many servers or sites that a user may see. */
import 'server-only'
import { db } from '../db'
import { among } from './dialect'

export type NamedRow = { id: string; name: string }

type Wanted = { teamId: string; ids: readonly string[]; connectionIds: readonly string[] }

/** Raw because there may be thousands of ids: as one JSON text they are one parameter instead of more than the database allows. */
export function findServerNames({ teamId, ids, connectionIds }: Wanted): Promise<NamedRow[]> {
  return db().$queryRaw<NamedRow[]>`
    SELECT "id", "name" FROM "Server"
    WHERE "teamId" = ${teamId} AND "goneAt" IS NULL AND "id" ${among(ids)}
      AND EXISTS (SELECT 1 FROM "ServerOnConnection" WHERE "serverId" = "Server"."id"
        AND "connectionId" ${among(connectionIds)})
    ORDER BY "name", "id"`
}

/** Raw for the same reason as findServerNames. */
export function findSiteNames({ teamId, ids, connectionIds }: Wanted): Promise<(NamedRow & { serverId: string | null })[]> {
  return db().$queryRaw<(NamedRow & { serverId: string | null })[]>`
    SELECT "id", "domain" AS "name", "serverId" FROM "Site"
    WHERE "teamId" = ${teamId} AND "goneAt" IS NULL AND "id" ${among(ids)}
      AND EXISTS (SELECT 1 FROM "SiteOnConnection" WHERE "siteId" = "Site"."id"
        AND "connectionId" ${among(connectionIds)})
    ORDER BY "domain", "id"`
}

/** Raw for the same reason as findServerNames. The id of each site's server, as far as it is known. */
export async function findServersOfSites(ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db().$queryRaw<{ id: string; serverId: string }[]>`
    SELECT "id", "serverId" FROM "Site" WHERE "serverId" IS NOT NULL AND "id" ${among(ids)}`
  return new Map(rows.map(({ id, serverId }) => [id, serverId]))
}
