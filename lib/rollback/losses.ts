/** Finds what a rollback would lose: the data in a database that an older copy does not have. */
import { existsSync } from 'node:fs'
import { type Connection, openConnection } from '@/lib/database/connection'
import { commandWaitMs } from '@/lib/database/patience'

/** The tables to report, with the singular and plural nouns for their rows. */
const named = {
  portal: [
    ['AuditRow', 'audit log entry', 'audit log entries'],
    ['User', 'user', 'users'],
    ['Connection', 'connection', 'connections'],
    ['Server', 'server', 'servers'],
    ['Job', 'job', 'jobs'],
    ['Label', 'label', 'labels'],
  ],
  service: [
    ['Machine', 'server with its SSH key', 'servers with their SSH keys'],
    ['ApiKey', 'API key', 'API keys'],
    ['Site', 'site', 'sites'],
    ['InstallRun', 'log of slow work', 'logs of slow work'],
  ],
} as const

export type Half = keyof typeof named

/** One phrase per kind of row: "3 jobs". `null` if the present database cannot be read. */
export function describeLosses(half: Half, present: string, copy: string): string[] | null {
  const [now, before] = [countRows(half, present), countRows(half, copy)]
  return now === null || before === null ? null : formatLosses(half, now, before)
}

export const namedTables = (half: Half): string[] => named[half].map(([table]) => table)

/** now, before: how many rows each table has. */
export const formatLosses = (half: Half, now: ReadonlyMap<string, number>, before: ReadonlyMap<string, number>): string[] =>
  named[half].flatMap(([table, one, several]) => {
    const lost = (now.get(table) ?? 0) - (before.get(table) ?? 0)
    return lost > 0 ? [`${lost} ${lost === 1 ? one : several}`] : []
  })

function countRows(half: Half, file: string): Map<string, number> | null {
  return readIf(file, (connection) => {
    const known = new Set(connection.query("SELECT name FROM sqlite_master WHERE type = 'table'", []).rows.map(([name]) => name))
    const present = named[half].filter(([table]) => known.has(table))
    return new Map(present.map(([table]) => [table, Number(connection.query(`SELECT count(*) FROM "${table}"`, []).rows[0]?.[0])]))
  })
}

/** The newest entry of an audit log: its number and its mac. Null if there is none or it cannot be read. */
export function readLastEntry(file: string): { seq: number; row: string } | null {
  return readIf(file, (connection) => {
    const [last] = connection.query('SELECT seq, mac FROM "AuditRow" ORDER BY seq DESC LIMIT 1', []).rows
    return last ? { seq: Number(last[0]), row: String(last[1]) } : null
  })
}

/** The number of the newest entry that two audit logs share; 0 if there is none, null if a log cannot be read. */
export function findSharedEntry(one: string, other: string): number | null {
  return readIf(one, (connection) => {
    connection.execute('ATTACH DATABASE ? AS other', [other])
    const [row] = connection.query(
      'SELECT max(mine.seq) FROM main."AuditRow" AS mine JOIN other."AuditRow" AS theirs ON mine.seq = theirs.seq AND mine.mac = theirs.mac',
      [],
    ).rows
    return Number(row?.[0] ?? 0)
  })
}

/** Null if the file is missing or cannot be read. */
function readIf<T>(file: string, read: (connection: Connection) => T): T | null {
  if (!existsSync(file)) return null
  let connection: Connection | undefined
  try {
    connection = openConnection(file, { waitMs: commandWaitMs })
    return read(connection)
  } catch {
    return null
  } finally {
    connection?.close()
  }
}
