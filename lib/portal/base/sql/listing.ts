/** Raw SQL: stores a list of servers or sites that a connection returned, hundreds at a time. Statements for one transaction. */
import 'server-only'
import { Prisma, type Server, type Site } from '@/prisma/generated/portal/client'
import { db } from '../db'
import { among, dialect, quoted } from './dialect'

type Statement = Prisma.PrismaPromise<number>

/** The servers or sites of one service in one team. */
export type Place = { teamId: string; origin: string }

/** A table of things that connections list. */
type ListedTable<Column extends string> = {
  table: 'Server' | 'Site'
  /** Which connections list them, and the column there that names one of them. */
  links: 'ServerOnConnection' | 'SiteOnConnection'
  link: 'serverId' | 'siteId'
  /** The columns that come from a list. All are text. */
  columns: readonly Column[]
}

export type ListedServerMembers = Pick<Server, 'name' | 'hostname' | 'dns' | 'provider' | 'state' | 'hostKey' | 'address'>
export type ListedSiteMembers = Pick<Site, 'domain' | 'upstreamServerId' | 'state' | 'ssl' | 'expires' | 'details'>

const serverTable: ListedTable<keyof ListedServerMembers> = {
  table: 'Server',
  links: 'ServerOnConnection',
  link: 'serverId',
  columns: ['name', 'hostname', 'dns', 'provider', 'state', 'hostKey', 'address'],
}

const siteTable: ListedTable<keyof ListedSiteMembers> = {
  table: 'Site',
  links: 'SiteOnConnection',
  link: 'siteId',
  columns: ['domain', 'upstreamServerId', 'state', 'ssl', 'expires', 'details'],
}

function createStatements<Column extends string>({ table, links, link, columns }: ListedTable<Column>) {
  type Members = Readonly<Record<Column, string>>
  const [rows, linked, id] = [quoted(table), quoted(links), quoted(link)]
  const at = (place: Place) => Prisma.sql`"teamId" = ${place.teamId} AND "origin" = ${place.origin}`
  const values = Prisma.join(columns.map((column) => Prisma.raw(`"item"."value"->>'${column}'`)))
  const changes = Prisma.join(columns.map((column) => Prisma.raw(`"${column}" = "item"."value"->>'${column}'`)))
  return {
    /** Skips rows that a parallel request inserted, as Prisma's createMany cannot on SQLite. */
    insert: (place: Place, items: readonly (Members & { id: string; upstreamId: string })[], now: Date): Statement =>
      db().$executeRaw`
        INSERT INTO ${rows} ("id", "teamId", "origin", "upstreamId", ${Prisma.join(columns.map(quoted))}, "createdAt", "listedAt")
        SELECT "item"."value"->>'id', ${place.teamId}, ${place.origin}, "item"."value"->>'upstreamId', ${values}, ${now}, ${now}
        FROM ${dialect().items(items, 'item')} WHERE true ON CONFLICT DO NOTHING`,
    /** Sets each row to its own values, as Prisma could only one row at a time. Keeps values newer than `now`. */
    update: (items: readonly (Members & { id: string })[], now: Date): Statement =>
      db().$executeRaw`
        UPDATE ${rows} SET ${changes}, "goneAt" = NULL
        FROM ${dialect().items(items, 'item')} WHERE ${rows}."id" = "item"."value"->>'id' AND "listedAt" <= ${now}`,
    noteListed: (place: Place, upstreamIds: readonly string[], now: Date): Statement =>
      db().$executeRaw`
        UPDATE ${rows} SET "listedAt" = ${now} WHERE "listedAt" < ${now} AND ${at(place)} AND "upstreamId" ${among(upstreamIds)}`,
    /** Prisma has no upsert of many rows. */
    link: (place: Place, connectionId: string, upstreamIds: readonly string[], now: Date): Statement =>
      db().$executeRaw`
        INSERT INTO ${linked} (${id}, "connectionId", "provenAt")
        SELECT "id", ${connectionId}, ${now} FROM ${rows} WHERE ${at(place)} AND "upstreamId" ${among(upstreamIds)}
        ON CONFLICT (${id}, "connectionId") DO UPDATE
        SET "provenAt" = CASE WHEN excluded."provenAt" > ${linked}."provenAt" THEN excluded."provenAt" ELSE ${linked}."provenAt" END`,
    /** Returning thousands of ids as one JSON text takes a tenth of the time of Prisma's rows. */
    findUnproven: async (connectionId: string, now: Date): Promise<string[]> => {
      const [row] = await db().$queryRaw<[{ ids: string }]>`
        SELECT ${dialect().list(id)} AS "ids" FROM ${linked} WHERE "connectionId" = ${connectionId} AND "provenAt" < ${now}`
      return JSON.parse(row.ids)
    },
    /** Keeps links verified after `now`. */
    unlink: (connectionId: string, ids: readonly string[], now: Date): Statement =>
      db().$executeRaw`
        DELETE FROM ${linked} WHERE "connectionId" = ${connectionId} AND "provenAt" < ${now} AND ${id} ${among(ids)}`,
    /** Marks those that no connection lists any more as gone. */
    markUnlistedGone: (ids: readonly string[], now: Date): Statement =>
      db().$executeRaw`
        UPDATE ${rows} SET "goneAt" = ${now} WHERE "goneAt" IS NULL AND "id" ${among(ids)}
          AND NOT EXISTS (SELECT 1 FROM ${linked} WHERE ${id} = ${rows}."id")`,
  }
}

/** Raw because Prisma writes many rows with different values only one by one, which takes seconds for thousands of servers. */
export const serverStatements = createStatements(serverTable)

/** Raw for the same reason as serverStatements. */
export const siteStatements = createStatements(siteTable)

/**
 * Raw because the server of each site is found by a column that is no relation: the service's own id of the server, which a list may show
 * before or after that server itself.
 */
export function relateSites({ teamId, origin }: Place, upstreamIds: readonly string[]): Statement {
  const server = Prisma.sql`(SELECT "id" FROM "Server" WHERE "teamId" = ${teamId} AND "origin" = ${origin}
    AND "upstreamId" = "Site"."upstreamServerId")`
  return db().$executeRaw`
    UPDATE "Site" SET "serverId" = ${server} WHERE "teamId" = ${teamId} AND "origin" = ${origin}
      AND "upstreamId" ${among(upstreamIds)} AND "upstreamServerId" <> '' AND "serverId" IS DISTINCT FROM ${server}`
}
