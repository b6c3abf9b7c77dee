/** A database on PostgreSQL within one process: a pool of connections for reads, and one writer at a time, as on SQLite. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { readFileSync } from 'node:fs'
import { DriverAdapterError } from '@prisma/driver-adapter-utils'
import { Mutex, withTimeout } from 'async-mutex'
import pg from 'pg'
import type { PostgresqlAddress } from '@/lib/settings/database'
import { patienceMs } from './patience'

/** What waits too long for a lock fails as on SQLite, with P1008. */
export const lockedTooLong = (): DriverAdapterError => new DriverAdapterError({ kind: 'SocketTimeout' })

// Most requests read a few rows; a database serves all portals with about a hundred connections.
const connections = 10
const connectMs = 10_000

/** What node-postgres needs to connect. The password and the authorities are read at each connection, so that both can be replaced. */
export function connectionOptions({ host, port, user, database, passwordFile, tls }: PostgresqlAddress): pg.ClientConfig {
  return {
    host,
    port,
    user,
    database,
    // Never from variables or files that other programs use.
    password: () => (passwordFile === null ? '' : readFileSync(passwordFile, 'utf8').trim()),
    ssl: tls === null ? false : { rejectUnauthorized: true, ...(tls.authorities && { ca: readFileSync(tls.authorities, 'utf8') }) },
    application_name: 'gatehouse',
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
  }
}

/** Where a database is, for messages: without the password, which is in a file. */
export const describeAddress = ({ host, port, database }: PostgresqlAddress): string =>
  `${database} at ${host}${host.startsWith('/') ? '' : `:${port}`}`

// Less than the others wait for the lock. No transaction does anything between two statements that takes as long.
const silentMs = 4_000

/**
 * For a transaction that is about to take the lock of all writers: PostgreSQL ends its session if no statement comes for this long. Nobody could write as long as
 * a process is stopped, and for hours if its machine is gone.
 */
export const endIfSilent = `SET LOCAL idle_in_transaction_session_timeout = ${silentMs}`

/** A query that must find a row, by which a process still holds what it works for. values: its texts $1, $2, … */
export type Fence = { sql: string; values: readonly (string | number)[] }

/** Another process holds it now, so this one may write nothing more for it. */
export class FenceLost extends Error {
  // Next's bundles each have a copy of the class.
  override name = 'FenceLost'
}

/** Opens nothing yet: connections are opened as they are needed. */
export class Postgresql {
  /** Not the class: Next's bundles each have a copy of it, and share the instance. */
  readonly engine = 'postgresql'
  readonly pool: pg.Pool
  /** Each transaction within it begins with the query, once nobody else can write, and is refused if that finds nothing. */
  readonly fences = new AsyncLocalStorage<Fence>()
  readonly #turns = withTimeout(new Mutex(), patienceMs, lockedTooLong())
  #version: Promise<string> | null = null

  constructor(address: PostgresqlAddress, Client: typeof pg.Client = pg.Client) {
    this.pool = new pg.Pool({ ...connectionOptions(address), max: connections, Client })
    // A connection that breaks while nobody uses it is replaced by the next query.
    this.pool.on('error', () => {})
    // One that breaks between two statements fails the next one. Without a listener, an end that comes as the pool hands it out would end the process.
    this.pool.on('connect', (client) => client.on('error', () => {}))
  }

  /**
   * Waits until this process's other writes are done, at most 5 s. The caller releases the turn. One connection at most waits for the writers of other
   * processes, so reads always have the others.
   */
  async takeTurn(): Promise<() => void> {
    const release = await this.#turns.acquire()
    return () => {
      this.#version = null
      release()
    }
  }

  /**
   * A text that changes with each commit of this or another process: what PostgreSQL shows to a transaction that begins now. It is asked once in each
   * turn of the event loop, and again after each write of this process. It may change without a commit. Rejects if the database cannot be reached.
   */
  dataVersion(): Promise<string> {
    this.#version ??= this.#askVersion()
    return this.#version
  }

  /** The next call of dataVersion asks PostgreSQL. */
  forgetVersion(): void {
    this.#version = null
  }

  #askVersion(): Promise<string> {
    const asked = this.pool
      .query<{ snapshot: string }>('SELECT pg_current_snapshot()::text AS snapshot')
      .then(({ rows }) => rows[0]?.snapshot ?? '')
    const forget = () => {
      if (this.#version === asked) this.#version = null
    }
    asked.then(() => setImmediate(forget), forget)
    return asked
  }

  /** Waits for writes, then closes all connections for good: later calls are refused. */
  async close(): Promise<void> {
    const release = await this.#turns.acquire().catch(() => () => {})
    if (!this.pool.ending) await this.pool.end()
    release()
  }

  /** As close. */
  async end(): Promise<void> {
    await this.close()
  }
}
