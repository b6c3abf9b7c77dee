/** Which portals of a database on PostgreSQL are alive: each says so every 5 s, by the clock of the database. */
import 'server-only'
import type { Postgresql } from '@/lib/database/postgresql'

export const beatMs = 5_000

/** A portal that has said nothing for this long has lost its jobs to others. */
export const deadAfterMs = 15_000

const forgottenAfter = "interval '1 day'"
// Prisma stores times without a zone, as UTC.
const now = `(clock_timestamp() AT TIME ZONE 'UTC')`

/** For WHERE: rows of portals that are alive. */
export const isAlive = `"heardAt" > ${now} - interval '${deadAfterMs} milliseconds'`

// Not through Prisma: a sign of life must not wait for writers.

/** Says that a portal is alive. */
export async function beat({ pool }: Postgresql, id: string): Promise<void> {
  await pool.query(
    `INSERT INTO "PortalProcess" ("id", "heardAt") VALUES ($1, ${now}) ON CONFLICT ("id") DO UPDATE SET "heardAt" = excluded."heardAt"`,
    [id],
  )
  await pool.query(`DELETE FROM "PortalProcess" WHERE "heardAt" < ${now} - ${forgottenAfter}`)
}

/** The ids of all portals that are alive. */
export async function listAlive({ pool }: Postgresql): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(`SELECT "id" FROM "PortalProcess" WHERE ${isAlive}`)
  return rows.map(({ id }) => id)
}

/** Says that a portal ends. Its jobs can be taken over at once. */
export async function leave({ pool }: Postgresql, id: string): Promise<void> {
  await pool.query('DELETE FROM "PortalProcess" WHERE "id" = $1', [id])
}
