/** Which master keys the databases of a backup need, and which ones its key files hold, by their ids. */
import { join } from 'node:path'
import { type Connection, openConnection } from '@/lib/database/connection'
import { readDumpedRows } from '@/lib/database/dump'
import { createKek } from '@/lib/sealing/kek'
import { readKeyFile } from '@/lib/sealing/key-file'
import { parseKey } from '@/lib/sealing/key-text'

/** Ids by file: of the keys that a database needs, or of the one in a key file. */
export type MasterKeys = Record<string, string[]>

/** The table with each database's keys, and its column with their ids. */
const tables: Readonly<Record<string, readonly [string, string]>> = {
  portal: ['KeyRing', 'id'],
  service: ['KeyCanary', 'kekId'],
}

/** Nothing is encrypted under these. */
const unused: readonly unknown[] = ['pending', 'retired']

/** names: of files in the folder; those that are no databases need none. */
export async function findNeededKeys(folder: string, names: readonly string[]): Promise<MasterKeys> {
  const ids = new Map<string, string[]>()
  for (const name of names) {
    const [half = '', engine] = name.split('.')
    const table = tables[half]
    if (!table || (engine !== 'db' && engine !== 'pgdump')) continue
    const file = join(folder, name)
    ids.set(name, engine === 'db' ? readIds(file, table) : await readDumpedIds(file, table))
  }
  return collect(names, (name) => ids.get(name) ?? [])
}

async function readDumpedIds(file: string, [table, column]: readonly [string, string]): Promise<string[]> {
  const ids: string[] = []
  for await (const row of readDumpedRows(file, table)) if (!unused.includes(row.state)) ids.push(String(row[column]))
  return ids
}

/** names: of key files in the folder. The secret of sessions is no master key. */
export const findHeldKeys = (folder: string, names: readonly string[]): MasterKeys =>
  collect(names, (name) => (isMasterKey(name) ? idOf(readKeyFile(join(folder, name))) : []))

/** The same for key files whose contents were read. */
export const findHeldIn = (contents: ReadonlyMap<string, Buffer>): MasterKeys =>
  collect([...contents.keys()], (name) => (isMasterKey(name) ? idOf(parseKey(String(contents.get(name)), name)) : []))

const isMasterKey = (name: string): boolean => /-kek\.(old\.)?key$/.test(name)

function idOf(key: Buffer): string[] {
  const kek = createKek(key)
  kek.key.fill(0)
  return [kek.id]
}

/** Needed keys that no file holds, with the database that needs each. */
export function listMissing(needed: MasterKeys, held: MasterKeys): { database: string; id: string }[] {
  const present = new Set(Object.values(held).flat())
  return Object.entries(needed).flatMap(([database, ids]) => ids.filter((id) => !present.has(id)).map((id) => ({ database, id })))
}

function collect(names: readonly string[], find: (name: string) => string[]): MasterKeys {
  return Object.fromEntries(names.map((name) => [name, find(name)] as const).filter(([, ids]) => ids.length > 0))
}

/** Databases of older versions have no column for the state; one that was never started has no table. */
function readIds(file: string, [table, column]: readonly [string, string]): string[] {
  const connection = openConnection(file, { readOnly: true })
  try {
    if (connection.query('SELECT 1 FROM sqlite_master WHERE name = ?', [table]).rows.length === 0) return []
    return readRows(connection, table).flatMap((row) => (unused.includes(row.state) ? [] : [String(row[column])]))
  } finally {
    connection.close()
  }
}

function readRows(connection: Connection, table: string): Record<string, unknown>[] {
  const { columns, rows } = connection.query(`SELECT * FROM ${table}`, [])
  return rows.map((row) => Object.fromEntries(columns.map((name, index) => [name, row[index]])))
}
