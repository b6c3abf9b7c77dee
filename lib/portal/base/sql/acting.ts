/** Raw SQL: the connection to use for each of many servers or sites. */
import 'server-only'
import { Prisma } from '@/prisma/generated/portal/client'
import { dialect } from './dialect'

/** own and able: 1 or 0. */
export type RankedConnection = { id: string; own: 0 | 1; able: 0 | 1 }

const links = {
  server: Prisma.raw(`"ServerOnConnection" WHERE "serverId" = "page"."id"`),
  site: Prisma.raw(`"SiteOnConnection" WHERE "siteId" = "page"."id"`),
}

/**
 * Raw because it is the first of an order, which Prisma cannot select for each row: own connections before shared ones, then the most
 * recently verified. For a statement that reads rows as "page".
 */
export const actingConnection = (kind: keyof typeof links, connections: readonly RankedConnection[]): Prisma.Sql => Prisma.sql`(
  SELECT "link"."connectionId" FROM (SELECT "connectionId", "provenAt" FROM ${links[kind]}) AS "link"
  JOIN ${dialect().items(connections, 'usable')} ON "usable"."value"->>'id' = "link"."connectionId"
  ORDER BY "usable"."value"->>'able' DESC, "usable"."value"->>'own' DESC, "link"."provenAt" DESC LIMIT 1
)`
