/** Makes a database ready for this program: folder, migrations with a copy of what was there, and a refusal of what is newer. */
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { ClaimError, claimDatabase } from './claim'
import { type Connection, openConnection } from './connection'
import { copyDatabase } from './copy'
import { commandWaitMs } from './patience'
import { removeOldCopies, safetyCopyName } from './safety-copies'
import { applyAll, listMigrations, type SchemaName } from './schema-engine'

/** A database that cannot be used; the message is one line for the operator. */
export class DatabaseError extends Error {}

export type Prepared = {
  /** Names of the migrations that were applied, in order. */
  applied: string[]
}

/**
 * Brings the SQLite file up to this program's schema: on a copy, which then takes the file's place whole. What was there
 * is kept beside it. Throws DatabaseError when the file is empty, newer than the program, damaged, in use or not writable;
 * it is as it was then, and no copy was made.
 */
export async function prepareDatabase({ file, schema }: { file: string; schema: SchemaName }): Promise<Prepared> {
  const dir = dirname(file)
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 })
    chmodSync(dir, 0o700)
  } catch {
    throw new DatabaseError(`The folder ${dir} cannot be written.`)
  }
  if (!existsSync(file)) return { applied: await makeDatabase(file, schema) }
  // An empty file is what a full disk or a wrong copy leaves. Filling it would look like a lost team.
  if (statSync(file).size === 0) {
    throw new DatabaseError(`The database ${file} is empty. Put a copy in its place; where there never was one, remove the file.`)
  }
  const pending = findPending(file, schema)
  if (pending.length > 0) await migrate(file, schema)
  chmodSync(file, 0o600)
  return { applied: pending }
}

/** A new database appears under its name only when it has every table. */
async function makeDatabase(file: string, schema: SchemaName): Promise<string[]> {
  const release = claim(file)
  const unfinished = `${file}.new`
  try {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(`${unfinished}${suffix}`, { force: true })
    openConnection(unfinished).close()
    await finish(unfinished, schema)
    renameSync(unfinished, file)
    return listMigrations(schema).migrationDirectories.map(({ path }) => path)
  } finally {
    release()
  }
}

/** Names of migrations not applied yet. Throws DatabaseError where some are applied that this program does not know. */
function findPending(file: string, schema: SchemaName): string[] {
  const known = listMigrations(schema).migrationDirectories.map(({ path }) => path)
  const applied = readApplied(file)
  const foreign = applied.find((name) => !known.includes(name))
  if (foreign) {
    throw new DatabaseError(
      `The database ${file} was made by a newer Gatehouse (it knows ${foreign}). Start that version, or see npm run rollback in docs/running.md.`,
    )
  }
  return known.filter((name) => !applied.includes(name))
}

/** Names of the migrations that a database has, in order. Throws DatabaseError where it cannot be read. */
function readApplied(file: string): string[] {
  let connection: Connection | undefined
  try {
    connection = openConnection(file, { waitMs: commandWaitMs })
    const tables = connection.query("SELECT name FROM sqlite_master WHERE name = '_prisma_migrations'", [])
    if (tables.rows.length === 0) return []
    const applied = connection.query(
      'SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name',
      [],
    )
    return applied.rows.map(([name]) => String(name))
  } catch (cause) {
    throw new DatabaseError(`The database ${file} cannot be read (${firstLine(cause)}).`, { cause })
  } finally {
    connection?.close()
  }
}

/**
 * Migrates a copy and swaps it in. A start that fails half-way leaves the database, and the copies of earlier upgrades, as
 * they were: however often it is tried.
 */
async function migrate(file: string, schema: SchemaName): Promise<void> {
  const release = claim(file)
  const [kept, migrated] = [safetyCopyName(file), `${file}.migrating`]
  try {
    copyDatabase(file, kept)
    copyDatabase(file, migrated)
    await finish(migrated, schema)
    requireClosed(file)
    renameSync(migrated, file)
  } catch (cause) {
    for (const made of [kept, migrated, `${migrated}-wal`, `${migrated}-shm`]) rmSync(made, { force: true })
    if (cause instanceof DatabaseError) throw cause
    throw new DatabaseError(`The database ${file} could not be brought up to date (${firstLine(cause)}). It is as it was before.`, {
      cause,
    })
  } finally {
    release()
  }
  removeOldCopies(file)
}

const firstLine = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause)).trim().split('\n', 1)[0] ?? ''

/** Nobody may be at work on a file that is about to be replaced: what they write would be gone. */
function claim(file: string): () => void {
  try {
    return claimDatabase(file)
  } catch (error) {
    throw error instanceof ClaimError ? new DatabaseError(error.message) : error
  }
}

/** The newest changes may stand in a log beside the file, and only while another program has it open: then it cannot be replaced. */
function requireClosed(file: string): void {
  const log = `${file}-wal`
  if (existsSync(log) && statSync(log).size > 0) {
    throw new DatabaseError(`Another program has ${file} open. Close it, then start Gatehouse again.`)
  }
}

/** Applies what is missing, looks the result over, and leaves one closed file. */
async function finish(file: string, schema: SchemaName): Promise<void> {
  await applyAll(schema, file)
  const connection = openConnection(file)
  try {
    const problems = connection.query('PRAGMA quick_check(1)', []).rows[0]?.[0]
    if (problems !== 'ok') throw new Error(String(problems))
    connection.script('PRAGMA journal_mode = WAL')
    chmodSync(file, 0o600)
  } finally {
    connection.close()
  }
}
