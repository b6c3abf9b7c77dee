/** Prepares a database for this version: creates its folder, migrates a copy, refuses a newer database. */
import { chmodSync, existsSync, mkdirSync, realpathSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { ClaimError, claimDatabase } from './claim'
import { type Connection, openConnection } from './connection'
import { DatabaseError } from './database-error'
import { commandWaitMs } from './patience'
import { type LockedDatabase, lockForReplace, moveInto } from './replace'
import { listSafetyCopies, removeOldCopies, safetyCopyName } from './safety-copies'
import { applyAll, listMigrations, type SchemaName } from './schema-engine'

export type Prepared = {
  /** Names of the migrations applied by this call, in order. */
  applied: string[]
}

/**
 * Migrates the SQLite file to this version's schema on a copy, which then replaces the file. The previous file is kept next
 * to it. Throws DatabaseError if the file is empty, newer than this version, damaged, in use or not writable; it is then unchanged
 * and no copy was made.
 */
export async function prepareDatabase({ file: given, schema }: { file: string; schema: SchemaName }): Promise<Prepared> {
  const dir = dirname(given)
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 })
    chmodSync(dir, 0o700)
  } catch {
    throw new DatabaseError(`The folder ${dir} cannot be written.`)
  }
  if (!existsSync(given)) return { applied: await makeDatabase(given, schema) }
  // A symbolic link stays; its target is replaced.
  const file = realpathSync(given)
  // A full disk or a failed copy leaves an empty file. Creating a database there would look as if the team were lost.
  if (statSync(file).size === 0) {
    throw new DatabaseError(`The database ${file} is empty. Restore a copy; if there never was data, remove the file.`)
  }
  const pending = findPending(file, schema)
  const applied = pending.length > 0 && (await migrate(file, schema)) ? pending : []
  ensureLogMode(file)
  chmodSync(file, 0o600)
  return { applied }
}

/** A restored copy or a killed start can leave another journal mode, in which readers wait for writers. */
function ensureLogMode(file: string): void {
  const connection = openConnection(file, { waitMs: commandWaitMs })
  try {
    connection.query('PRAGMA journal_mode = WAL', [])
  } catch {
    // Another process is using it; the next start sets the mode.
  } finally {
    connection.close()
  }
}

const helpers = ['-wal', '-shm', '-journal']

function removeWithHelpers(file: string): void {
  for (const suffix of ['', ...helpers]) rmSync(`${file}${suffix}`, { force: true })
}

/** A new database gets its name only when it has all tables. */
async function makeDatabase(file: string, schema: SchemaName): Promise<string[]> {
  const release = await claimOrWait(file, schema)
  if (!release) return []
  const unfinished = `${file}.new`
  try {
    refuseLeftovers(file)
    removeWithHelpers(unfinished)
    openConnection(unfinished).close()
    await finish(unfinished, schema)
    moveInto(unfinished, file)
    return listMigrations(schema).migrationDirectories.map(({ path }) => path)
  } catch (cause) {
    removeWithHelpers(unfinished)
    if (cause instanceof DatabaseError) throw cause
    throw new DatabaseError(`The database ${file} could not be created (${firstLine(cause)}).`, { cause })
  } finally {
    release()
  }
}

/** Leftover files show that a database existed: a new one in its place would hide the loss, and would read the old database's log. */
function refuseLeftovers(file: string): void {
  const left = [...helpers.map((suffix) => `${file}${suffix}`).filter((path) => existsSync(path) && statSync(path).size > 0)]
  const found = left[0] ?? listSafetyCopies(file).at(-1)
  if (found) throw new DatabaseError(`There is no ${file}, but ${found} exists. Restore the database, or move that file away.`)
}

/** Names of migrations that are not applied yet. Throws DatabaseError if unknown ones are applied. */
export function findPending(file: string, schema: SchemaName): string[] {
  const known = listMigrations(schema).migrationDirectories.map(({ path }) => path)
  const applied = readApplied(file)
  const foreign = applied.find((name) => !known.includes(name))
  if (foreign) {
    throw new DatabaseError(
      `The database ${file} was created by a newer Gatehouse (migration ${foreign}). Start that version, or see ./gatehouse rollback in docs/running.md.`,
    )
  }
  return known.filter((name) => !applied.includes(name))
}

/** Names of the migrations that a database has, in order. Throws DatabaseError if it cannot be read. */
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
 * Migrates a copy and swaps it in. A start that fails or is killed halfway leaves the database and the copies of earlier upgrades
 * unchanged, however often it is repeated. Nobody can write to the old database between the copy and the swap. False if another process
 * migrated it meanwhile.
 */
async function migrate(file: string, schema: SchemaName): Promise<boolean> {
  const release = await claimOrWait(file, schema)
  if (!release) return false
  const [keeping, migrated] = [`${file}.keeping`, `${file}.migrating`]
  const clear = () => {
    for (const path of [keeping, migrated]) removeWithHelpers(path)
  }
  let original: LockedDatabase | undefined
  try {
    clear()
    original = await lockForReplace(file)
    for (const copy of [keeping, migrated]) original.copyTo(copy)
    await finish(migrated, schema)
    moveInto(keeping, safetyCopyName(file))
    moveInto(migrated, file)
    original.close()
  } catch (cause) {
    clear()
    original?.release()
    if (cause instanceof DatabaseError) throw cause
    throw new DatabaseError(`The database ${file} could not be migrated (${firstLine(cause)}). It is unchanged.`, {
      cause,
    })
  } finally {
    release()
  }
  removeOldCopies(file)
  return true
}

const firstLine = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause)).trim().split('\n', 1)[0] ?? ''

/** How long a process that uses the file is waited for, and one that prepares it, which takes its time on a slow machine. */
const [waitMs, preparingMs, checkEveryMs] = [5_000, 120_000, 100]

const isBeingPrepared = (file: string) => [`${file}.new`, `${file}.migrating`].some((copy) => existsSync(copy))

/**
 * Ensures that no other process uses a file that is about to be replaced, because its writes would be lost. A process that starts at the
 * same time may prepare the database itself: then returns null. Throws DatabaseError if it has not in time.
 */
async function claimOrWait(file: string, schema: SchemaName): Promise<(() => void) | null> {
  for (const since = Date.now(); ; ) {
    try {
      const release = claimDatabase(file)
      // The state may have changed before this process got the claim.
      if (!isReady(file, schema)) return release
      release()
      return null
    } catch (error) {
      if (!(error instanceof ClaimError)) throw error
      await delay(checkEveryMs)
      if (isReady(file, schema)) return null
      if (Date.now() - since > (isBeingPrepared(file) ? preparingMs : waitMs)) throw new DatabaseError(error.message)
    }
  }
}

function isReady(file: string, schema: SchemaName): boolean {
  try {
    return existsSync(file) && findPending(file, schema).length === 0
  } catch {
    // The file is locked while it is being replaced.
    return false
  }
}

/** Applies the missing migrations, checks the result, and leaves one closed file. */
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
