/** Reads and changes a database file that another process has open, as a shell would. */
import { openConnection, type SqlValue } from '@/lib/database/connection'

export type SqliteFile = Disposable & {
  /** Rows as objects by column. */
  run(sql: string, values?: readonly SqlValue[]): Record<string, unknown>[]
}

/** Makes the file where there is none. Waits up to 5 s for a lock, blocking this process. */
export function openSqliteFile(file: string): SqliteFile {
  const connection = openConnection(file, { waitMs: 5_000 })
  return {
    run: (sql, values = []) => {
      const { columns, rows } = connection.query(sql, values)
      return rows.map((row) => Object.fromEntries(columns.map((name, index) => [name, row[index]])))
    },
    [Symbol.dispose]: () => connection.close(),
  }
}

/** Opens the file for one statement. */
export function runSql(file: string, sql: string, values: readonly SqlValue[] = []): Record<string, unknown>[] {
  using opened = openSqliteFile(file)
  return opened.run(sql, values)
}
