/** Makes a database ready for this program: folder, copy of what was there, migrations, and a refusal of what is newer. */
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createClient } from '@libsql/client'
import { copyDatabase } from './copy'
import { listMigrations, noFilters, openSchemaEngine, type SchemaName } from './schema-engine'

/** A database that cannot be used; the message is one line for the operator. */
export class DatabaseError extends Error {}

const copiesKept = 5

/**
 * Brings the SQLite file up to this program's schema. A file that exists is copied beside itself first, only when
 * something is to be applied. Throws DatabaseError when the file is newer than the program, damaged or not writable.
 */
export async function prepareDatabase({ file, schema }: { file: string; schema: SchemaName }): Promise<void> {
  const dir = dirname(file)
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 })
    chmodSync(dir, 0o700)
  } catch {
    throw new DatabaseError(`The folder ${dir} cannot be written.`)
  }
  const existed = existsSync(file)
  const pending = await findPending(file, schema, existed)
  if (pending.length > 0) {
    if (existed) await keepCopy(file)
    await applyMigrations(file, schema)
  }
  chmodSync(file, 0o600)
}

/** Names of migrations not applied yet. */
async function findPending(file: string, schema: SchemaName, existed: boolean): Promise<string[]> {
  const known = listMigrations(schema).migrationDirectories.map(({ path }) => path)
  if (!existed) return known
  const applied = await readApplied(file)
  const foreign = applied.find((name) => !known.includes(name))
  if (foreign) {
    throw new DatabaseError(
      `The database ${file} was made by a newer Gatehouse (it knows ${foreign}). Start that version, or restore a copy.`,
    )
  }
  return known.filter((name) => !applied.includes(name))
}

async function readApplied(file: string): Promise<string[]> {
  const client = createClient({ url: `file:${file}` })
  try {
    await client.execute('PRAGMA busy_timeout = 5000')
    const tables = await client.execute("SELECT name FROM sqlite_master WHERE name = '_prisma_migrations'")
    if (tables.rows.length === 0) return []
    const rows = await client.execute(
      'SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL',
    )
    return rows.rows.map((row) => String(row.migration_name))
  } catch (cause) {
    throw new DatabaseError(`The database ${file} cannot be read.`, { cause })
  } finally {
    client.close()
  }
}

/** A copy beside the file; the oldest copies beyond a handful are removed. */
async function keepCopy(file: string): Promise<void> {
  await copyDatabase(file, `${file}.before-${new Date().toISOString().replace(/\D/g, '').slice(0, 14)}`)
  const prefix = `${file.slice(dirname(file).length + 1)}.before-`
  const copies = readdirSync(dirname(file))
    .filter((name) => name.startsWith(prefix))
    .sort()
  for (const name of copies.slice(0, -copiesKept)) rmSync(join(dirname(file), name), { force: true })
}

async function applyMigrations(file: string, schema: SchemaName): Promise<void> {
  const engine = await openSchemaEngine(schema, file)
  try {
    await engine.applyMigrations({ migrationsList: listMigrations(schema), filters: noFilters })
  } catch (cause) {
    throw new DatabaseError(`The database ${file} could not be brought up to date. The copy beside it is untouched.`, { cause })
  } finally {
    engine.free()
  }
  const client = createClient({ url: `file:${file}` })
  try {
    await client.execute('PRAGMA journal_mode = WAL')
  } finally {
    client.close()
  }
}
