/** Portals that work on a database, as seen by who is about to change it for all of them. */
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'

/** A portal that has said nothing for this long is gone: lib/portal/base/portals/members.ts. */
const deadAfterMs = 15_000

/** How many portals have said lately that they are alive. 0 where no portal of a version that says so has been. */
async function countPortals(session: pg.Client): Promise<number> {
  const { rows: tables } = await session.query<{ found: boolean }>(`SELECT to_regclass('"PortalProcess"') IS NOT NULL AS found`)
  if (tables[0]?.found !== true) return 0
  const { rows } = await session.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM "PortalProcess" WHERE "heardAt" > (clock_timestamp() AT TIME ZONE 'UTC') - interval '${deadAfterMs} milliseconds'`,
  )
  return rows[0]?.count ?? 0
}

/** True once at most so many portals are there; false if there are still more after those that were killed would count as gone. */
export async function areFew(session: pg.Client, most: number): Promise<boolean> {
  for (const deadline = performance.now() + deadAfterMs; performance.now() < deadline; await delay(500)) {
    if ((await countPortals(session)) <= most) return true
  }
  return (await countPortals(session)) <= most
}
