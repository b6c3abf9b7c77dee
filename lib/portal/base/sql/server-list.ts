/** Raw SQL: thousands of servers for the server list and Home. */
import 'server-only'
import { Prisma } from '@/prisma/generated/portal/client'
import { db } from '../db'
import { actingConnection, type RankedConnection } from './acting'
import { among, dialect } from './dialect'

/** The last member is the connection to use. */
export type ServerLine = [
  id: string,
  name: string,
  hostname: string,
  dns: string,
  address: string,
  provider: string,
  state: string,
  acting: string | null,
]

type Page = { teamId: string; connections: readonly RankedConnection[]; afterId: string; limit: number }

/** Raw because JSON text built by the database takes a tenth of the time of Prisma's rows. */
export async function readServerLines({ teamId, connections, afterId, limit }: Page): Promise<ServerLine[]> {
  const values = Prisma.sql`"id", "name", "hostname", "dns", "address", "provider", "state", ${actingConnection('server', connections)}`
  const [row] = await db().$queryRaw<[{ lines: string }]>`
    SELECT ${dialect().lines(values, Prisma.sql`"id"`)} AS "lines"
    FROM (
      SELECT * FROM "Server" WHERE "teamId" = ${teamId} AND "goneAt" IS NULL AND "id" > ${afterId} ORDER BY "id" LIMIT ${limit}
    ) AS "page"`
  return JSON.parse(row.lines)
}

/**
 * Raw because there may be thousands of ids: as one JSON text they are one parameter instead of more than the database allows. ISO
 * times by id.
 */
export async function readAddedAt(ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db().$queryRaw<{ id: string; createdAt: Date | string | number }[]>`
    SELECT "id", "createdAt" FROM "Server" WHERE "id" ${among(ids)}`
  return new Map(rows.map(({ id, createdAt }) => [id, new Date(createdAt).toISOString()]))
}

/** Raw for the same reason as readAddedAt. The server that was added first. */
export async function findFirstAdded(ids: readonly string[]): Promise<string | null> {
  const [first] = await db().$queryRaw<{ id: string }[]>`
    SELECT "id" FROM "Server" WHERE "id" ${among(ids)} ORDER BY "createdAt", "id" LIMIT 1`
  return first?.id ?? null
}
