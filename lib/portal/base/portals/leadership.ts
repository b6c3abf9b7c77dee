/** Which of several portals does the work that is done once: the one whose session holds a lock of PostgreSQL. docs/decisions/086-several-portals.md */
import 'server-only'
import { endIfSilent, type Fence } from '@/lib/database/postgresql'
import type { PostgresqlSession } from '@/lib/database/postgresql-kept-session'
import { isAlive } from './members'

/** One time of being the leader. lost: aborts when it is over. */
export type Term = { epoch: number; lost: AbortSignal }

const key = `hashtext('gatehouse'), hashtext('leader')`
const isHeld = `"locktype" = 'advisory' AND "granted" AND "objsubid" = 2 AND "classid" = hashtext('gatehouse')::oid AND "objid" = hashtext('leader')::oid
  AND "database" = (SELECT "oid" FROM "pg_database" WHERE "datname" = current_database())`

/** By this name PostgreSQL knows the session of a portal. */
export const sessionName = (portalId: string): string => `gatehouse ${portalId}`

/** A leader that was stopped, or whose machine is gone, still has its session. Its end gives the lock to others. */
const endSilent = `SELECT pg_terminate_backend("pid") FROM "pg_locks" JOIN "pg_stat_activity" USING ("pid") WHERE ${isHeld}
  AND NOT EXISTS (SELECT 1 FROM "PortalProcess" WHERE "application_name" = 'gatehouse ' || "id" AND ${isAlive})`

/** With the lock of all writers: what an earlier leader writes is there before this one reads, or is refused. */
const takeTurn = `SELECT pg_advisory_xact_lock(hashtext('gatehouse'), hashtext('write'))`
const begin = `INSERT INTO "Leader" ("id", "holder", "epoch") VALUES ('leader', $1, 1)
  ON CONFLICT ("id") DO UPDATE SET "holder" = excluded."holder", "epoch" = "Leader"."epoch" + 1 RETURNING "epoch"`

/** Without a sign of life of its session for this long, a portal no longer trusts that it leads. */
const trustedMs = 3_000

export const fenceOf = ({ epoch }: Term): Fence => ({
  sql: `SELECT 1 AS "one" FROM "Leader" WHERE "id" = 'leader' AND "epoch" = $1`,
  values: [epoch],
})

/** Of one portal. */
export class Leadership {
  readonly #holder: string
  #term: { epoch: number; end: AbortController; confirmedAt: number } | null = null

  #busy = false

  constructor(holder: string) {
    this.#holder = holder
  }

  /** Tries to become the leader, or confirms that it is, unless it does so already. Rejects if the session is lost. */
  async pursue(session: PostgresqlSession): Promise<void> {
    if (this.#busy) return
    this.#busy = true
    try {
      await this.#pursue(session)
    } finally {
      this.#busy = false
    }
  }

  async #pursue(session: PostgresqlSession): Promise<void> {
    // Also runs on while the process is stopped.
    const askedAt = performance.now()
    const term = this.#term
    if (term) {
      await session.query('SELECT 1')
      term.confirmedAt = askedAt
      return
    }
    const [row] = await session.query(`SELECT pg_try_advisory_lock(${key}) AS "taken"`)
    if (row?.taken !== true) return void (await session.query(endSilent))
    await session.query('BEGIN')
    await session.query(endIfSilent)
    await session.query(takeTurn)
    const [begun] = await session.query(begin, [this.#holder])
    await session.query('COMMIT')
    this.#term = { epoch: Number(begun?.epoch), end: new AbortController(), confirmedAt: askedAt }
  }

  /** Its session is over, and with it the lock. */
  end(): void {
    this.#term?.end.abort()
    this.#term = null
  }

  /** Null if this portal does not lead, or does not know whether it still does. */
  current(): Term | null {
    const term = this.#term
    return term && performance.now() - term.confirmedAt < trustedMs ? { epoch: term.epoch, lost: term.end.signal } : null
  }
}
