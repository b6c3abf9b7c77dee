/** The only access to the SQLite driver: one connection to one file, cached prepared statements, errors with SQLite's own codes. */
import { backup, DatabaseSync, type StatementSyncInstance } from '@photostructure/sqlite'

/** SQLite's result codes that callers distinguish: https://www.sqlite.org/rescode.html */
export const sqliteCode = { error: 1, busy: 5, readOnly: 8, ioError: 10, corrupt: 11, full: 13, cannotOpen: 14 } as const

/** SQLite refused a statement or an open. `code` is SQLite's extended result code. */
export class SqliteError extends Error {
  override name = 'SqliteError'
  readonly code: number
  constructor(message: string, code: number, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** Whether another connection held a lock: nothing was changed, and the same statement may succeed later. */
export const isBusy = (error: unknown): boolean => error instanceof SqliteError && (error.code & 0xff) === sqliteCode.busy

export type SqlValue = null | number | bigint | string | Uint8Array

export type Rows = {
  columns: readonly string[]
  /** The declared type of each column, null for expressions. */
  types: readonly (string | null)[]
  rows: unknown[][]
}

/** Every method is synchronous and throws SqliteError. None of them waits for a lock. */
export type Connection = {
  query(sql: string, values: readonly SqlValue[]): Rows
  /** Resolves to the number of changed rows. */
  execute(sql: string, values: readonly SqlValue[]): number
  /** Runs several statements separated by semicolons. They are not one transaction. */
  script(sql: string): void
  /** False as soon as SQLite has rolled back a transaction without being asked, as it does after some errors. */
  readonly inTransaction: boolean
  close(): void
}

export type ConnectionOptions = {
  readOnly?: boolean
  /** How long SQLite itself waits for a lock, in milliseconds, blocking this thread: 0 except in commands that serve no requests. */
  waitMs?: number
}

/** Opens the file; creates it if missing, unless `readOnly`. */
export function openConnection(file: string, { readOnly = false, waitMs = 0 }: ConnectionOptions = {}): Connection {
  const database = attempt(() => new DatabaseSync(file, { readOnly, timeout: waitMs, enableForeignKeyConstraints: true }))
  const statements = new StatementCache((sql) => database.prepare(sql))
  // A commit is on disk before it is reported. With a lower level, a power cut would lose the newest ones.
  if (!readOnly)
    attempt(
      () => database.exec('PRAGMA synchronous = FULL'),
      () => database.close(),
    )
  return {
    query: (sql, values) =>
      attempt(() => {
        const { statement, columns, types } = statements.find(sql)
        const rows = statement.all(...values)
        return { columns, types, rows }
      }),
    execute: (sql, values) => attempt(() => statements.find(sql).statement.run(...values).changes),
    script: (sql) => attempt(() => database.exec(sql)),
    get inTransaction() {
      return database.isTransaction
    },
    close: () => {
      statements.clear()
      if (database.isOpen) attempt(() => database.close())
    },
  }
}

const allPages = 0x7fff_ffff

/**
 * Copies a database in use, as it is at one moment, to a file that does not exist. In a thread of the driver: this one goes on, and so do readers and
 * writers. In one step, because a copy in several begins again with each write. Rejects with SqliteError; part of a copy may be left.
 */
export async function copyInBackground(file: string, copy: string): Promise<void> {
  const database = attempt(() => new DatabaseSync(file, { readOnly: true }))
  try {
    await backup(database, copy, { rate: allPages })
  } catch (cause) {
    throw new SqliteError(cause instanceof Error ? cause.message : String(cause), codeOf(cause), { cause })
  } finally {
    database.close()
  }
}

type Prepared = { statement: StatementSyncInstance; columns: string[]; types: (string | null)[] }

/** Caches recent statements. Prisma repeats the same few dozen texts, and preparing one takes as long as running it. */
class StatementCache {
  readonly #prepare: (sql: string) => StatementSyncInstance
  readonly #kept = new Map<string, Prepared>()

  constructor(prepare: (sql: string) => StatementSyncInstance) {
    this.#prepare = prepare
  }

  find(sql: string): Prepared {
    const found = this.#kept.get(sql) ?? this.#make(sql)
    this.#kept.delete(sql)
    this.#kept.set(sql, found)
    if (this.#kept.size > maxStatements) this.#kept.delete(this.#kept.keys().next().value ?? '')
    return found
  }

  #make(sql: string): Prepared {
    const statement = this.#prepare(sql)
    statement.setReturnArrays(true)
    const described = statement.columns()
    return { statement, columns: described.map(({ name }) => name), types: described.map(({ type }) => type) }
  }

  clear(): void {
    this.#kept.clear()
  }
}

const maxStatements = 200

function attempt<T>(work: () => T, giveUp?: () => void): T {
  try {
    return work()
  } catch (cause) {
    giveUp?.()
    throw new SqliteError(cause instanceof Error ? cause.message : String(cause), codeOf(cause), { cause })
  }
}

const codeOf = (error: unknown): number =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : sqliteCode.error
