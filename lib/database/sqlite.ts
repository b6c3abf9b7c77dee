/** A database file within one process: one connection that writes, with a queue, and one that only reads. */
import { existsSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Mutex, withTimeout } from 'async-mutex'
import { type Connection, openConnection, type Rows, SqliteError, type SqlValue, sqliteCode } from './connection'
import { patienceMs, untilUnlocked } from './patience'

export type OpenConnection = typeof openConnection

/** A writer's turn, during which no other caller in this process may write. */
export type WriteTurn = { connection: Connection; deadline: number; release: () => void }

const shareMs = 20

/**
 * Opens nothing yet: the first use opens the connections, and `close` closes them. Reads never wait for writes of this process, and
 * transactions never conflict with other writes inside SQLite.
 */
export class Sqlite {
  /** Not the class: Next's bundles each have a copy of it, and share the instance. */
  readonly engine = 'sqlite'
  readonly #file: string
  readonly #open: OpenConnection
  readonly #turns = withTimeout(
    new Mutex(),
    patienceMs,
    new SqliteError('database is locked by other work of this process', sqliteCode.busy),
  )
  #connections: { writer: Connection; reader: Connection } | null = null
  #sharedAt = 0
  #ended = false
  #generation = 0
  #version: number | null = null

  constructor(file: string, open: OpenConnection = openConnection) {
    this.#file = file
    this.#open = open
  }

  /** Throws SqliteError, with code `busy` after waiting for 5 s. */
  async read(sql: string, values: readonly SqlValue[]): Promise<Rows> {
    return untilUnlocked(() => this.#connect().reader.query(sql, values), Date.now() + patienceMs)
  }

  /** Runs one statement with its own commit. Throws SqliteError; nothing was changed then. */
  async write<T>(work: (connection: Connection) => T): Promise<T> {
    const { connection, deadline, release } = await this.takeTurn()
    try {
      return await untilUnlocked(() => work(connection), deadline)
    } finally {
      release()
    }
  }

  /** Waits until this process's other writes are done, at most 5 s. The caller releases the turn. Throws SqliteError. */
  async takeTurn(): Promise<WriteTurn> {
    const deadline = Date.now() + patienceMs
    const queued = this.#turns.isLocked()
    const release = await this.#turns.acquire()
    try {
      if (queued) await this.#shareLoop()
      else this.#sharedAt = performance.now()
      const connection = this.#cleanWriter()
      return {
        connection,
        deadline,
        release: () => {
          this.#version = null
          release()
        },
      }
    } catch (error) {
      release()
      throw error
    }
  }

  /** A rollback can fail too. Later writes would then join a transaction that never ends, so a new connection is opened. */
  #cleanWriter(): Connection {
    const { writer } = this.#connect()
    if (!writer.inTransaction) return writer
    this.#closeConnections()
    return this.#connect().writer
  }

  /** Many queued writes would block everything else, so the event loop gets a turn in between. */
  async #shareLoop(): Promise<void> {
    if (performance.now() - this.#sharedAt < shareMs) return
    await nextTurn()
    this.#sharedAt = performance.now()
  }

  /**
   * A number that changes with each commit of this or another process. SQLite is asked once in each turn of the event loop, and again after
   * each write of this process. Throws SqliteError.
   */
  dataVersion(): number {
    if (this.#version !== null) return this.#version
    const version = Number(this.#connect().reader.query('PRAGMA data_version', []).rows[0]?.[0])
    setImmediate(() => {
      this.#version = null
    })
    // Each connection has its own counter.
    this.#version = this.#generation * 2 ** 32 + version
    return this.#version
  }

  /** The next call of dataVersion asks SQLite. */
  forgetVersion(): void {
    this.#version = null
  }

  /** Closes for good: later calls are refused instead of opening the file again. */
  async end(): Promise<void> {
    this.#ended = true
    await this.close()
  }

  /** Waits for writes, then closes both connections. The last one to close merges the write-ahead log into the file and deletes it. */
  async close(): Promise<void> {
    const release = await this.#turns.acquire().catch(() => () => {})
    this.#closeConnections()
    release()
  }

  #closeConnections(): void {
    const open = this.#connections
    this.#connections = null
    this.#version = null
    try {
      open?.reader.close()
    } finally {
      open?.writer.close()
    }
  }

  /** The writer first, because it creates the shared memory that readers of a write-ahead log need. */
  #connect(): { writer: Connection; reader: Connection } {
    if (this.#connections) return this.#connections
    if (this.#ended) throw new SqliteError('the database is closed: this process is stopping', sqliteCode.cannotOpen)
    if (!existsSync(this.#file)) throw new SqliteError(`unable to open database file: there is no ${this.#file}`, sqliteCode.cannotOpen)
    const writer = this.#open(this.#file)
    try {
      writer.query('SELECT count(*) FROM sqlite_master', [])
      const reader = this.#open(this.#file, { readOnly: true })
      this.#generation += 1
      this.#connections = { writer, reader }
      return this.#connections
    } catch (error) {
      writer.close()
      throw error
    }
  }
}
