/** Raw SQL: which connections list any of many servers and sites. */
import 'server-only'
import { db } from '../db'
import { among, dialect } from './dialect'

type Wanted = { teamId: string; serverIds: readonly string[]; siteIds: readonly string[] }

/**
 * The ids of a team's connections that list one of these servers, a site of theirs, or one of these sites. Raw because there may be thousands
 * of ids: as JSON text they are one parameter each, and the first one that a connection lists ends its search.
 */
export async function findListingConnections({ teamId, serverIds, siteIds }: Wanted): Promise<Set<string>> {
  const wanted = (ids: readonly string[]) => dialect().texts(ids, 'wanted')
  const rows = await db().$queryRaw<{ id: string }[]>`
    SELECT "id" FROM "Connection" WHERE "teamId" = ${teamId} AND (
      EXISTS (SELECT 1 FROM ${wanted(serverIds)} JOIN "ServerOnConnection" AS "link"
        ON "link"."serverId" = "wanted"."value" AND "link"."connectionId" = "Connection"."id")
      OR EXISTS (SELECT 1 FROM ${wanted(siteIds)} JOIN "SiteOnConnection" AS "link"
        ON "link"."siteId" = "wanted"."value" AND "link"."connectionId" = "Connection"."id")
      OR EXISTS (SELECT 1 FROM "SiteOnConnection" AS "link" JOIN "Site" ON "Site"."id" = "link"."siteId"
        WHERE "link"."connectionId" = "Connection"."id" AND "Site"."serverId" ${among(serverIds)})
    )`
  return new Set(rows.map(({ id }) => id))
}
