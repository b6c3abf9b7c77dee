/** SQLite that fails at a chosen statement, as a locked, broken, full or damaged disk makes it fail. */
import { type Connection, openConnection, SqliteError, sqliteCode } from '@/lib/database/connection'
import { type OpenConnection, Sqlite } from '@/lib/database/sqlite'

export const diskFaults = {
  BUSY: new SqliteError('database is locked', sqliteCode.busy),
  IOERR: new SqliteError('disk I/O error', sqliteCode.ioError),
  FULL: new SqliteError('database or disk is full', sqliteCode.full),
  CORRUPT: new SqliteError('database disk image is malformed', sqliteCode.corrupt),
} as const

export type DiskFault = keyof typeof diskFaults

export type FaultyDatabase = {
  database: Sqlite
  /** From now on the n-th statement that is run fails, counted from 1; those after it too, until `heal`, unless `once`. */
  failAt(statement: number, fault: DiskFault, options?: { once?: boolean }): void
  heal(): void
  /** How many statements were run since the last `failAt` or `heal`. */
  count(): number
}

/** A database of the real driver, with the fault put in front of the statement: SQLite sees neither it nor those after it. */
export function openFaultyDatabase(file: string): FaultyDatabase {
  let [ran, failing]: [number, { at: number; fault: DiskFault; once: boolean } | null] = [0, null]
  const run = <T>(work: () => T): T => {
    ran += 1
    const fails = failing && (failing.once ? ran === failing.at : ran >= failing.at)
    if (failing && fails) throw diskFaults[failing.fault]
    return work()
  }
  const open: OpenConnection = (path, options) => faulty(openConnection(path, options), run)
  return {
    database: new Sqlite(file, open),
    failAt: (at, fault, { once = false } = {}) => {
      ;[ran, failing] = [0, { at, fault, once }]
    },
    heal: () => {
      ;[ran, failing] = [0, null]
    },
    count: () => ran,
  }
}

/** A rollback after a failure is SQLite's own work and succeeds; asking for the version of the data is no statement of a change. */
function faulty(connection: Connection, run: <T>(work: () => T) => T): Connection {
  const free = (sql: string) => sql === 'ROLLBACK' || sql === 'PRAGMA data_version'
  return {
    query: (sql, values) => (free(sql) ? connection.query(sql, values) : run(() => connection.query(sql, values))),
    execute: (sql, values) => (free(sql) ? connection.execute(sql, values) : run(() => connection.execute(sql, values))),
    script: (sql) => run(() => connection.script(sql)),
    get inTransaction() {
      return connection.inTransaction
    },
    close: () => connection.close(),
  }
}
