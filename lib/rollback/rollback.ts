/** Puts the copy of a database from before an upgrade back in its place. */
import { chmodSync, chownSync, constants, copyFileSync, existsSync, linkSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { claimDatabase } from '@/lib/database/claim'
import { type Connection, openConnection } from '@/lib/database/connection'
import { commandWaitMs } from '@/lib/database/patience'
import { moveInto } from '@/lib/database/replace'
import type { Half } from './losses'

/** A rollback that cannot be done; the message is one line for the operator. Nothing was changed. */
export class RollbackError extends Error {}

/** A table that the half's database has and no other program's. */
const ownTable: Record<Half, string> = { portal: 'AuditRow', service: 'Machine' }

/** Throws RollbackError unless the file is a whole database of that half. */
export function checkCopy(half: Half, copy: string): void {
  const broken = (why: string) => new RollbackError(`${copy} cannot be put back: ${why}. Name another copy.`)
  if (!existsSync(copy)) throw broken('it does not exist')
  withDatabase(copy, broken, (connection) => {
    const [found] = connection.query('PRAGMA integrity_check(1)', []).rows
    if (found?.[0] !== 'ok') throw broken('it is damaged')
    const tables = connection.query("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name IN ('_prisma_migrations', ?)", [
      ownTable[half],
    ])
    if (tables.rows.length < 2) throw broken(`it is no database of the ${half}`)
  })
}

/**
 * Swaps the checked copy in, without what the other database left in `-wal` and `-shm`. The database that was there stays
 * as `kept`. Throws RollbackError or ClaimError with nothing changed.
 */
export function restoreCopy(half: Half, file: string, copy: string): { kept: string } {
  checkCopy(half, copy)
  if (realpathSync(copy) === file) throw new RollbackError(`${copy} is the present database. Name a copy of it.`)
  const release = claimDatabase(file)
  const kept = `${file}.rolled-back-${new Date().toISOString().replace(/\D/g, '').slice(0, 14)}`
  const restoring = `${file}.restoring`
  try {
    foldLog(file)
    copyFileSync(copy, restoring)
    chmodSync(restoring, 0o600)
    keepOwner(file, restoring)
    keepPresent(file, kept)
    moveInto(restoring, file)
    return { kept }
  } catch (cause) {
    rmSync(restoring, { force: true })
    throw new RollbackError(`The copy could not be put back: ${cause instanceof Error ? cause.message : String(cause)}.`, { cause })
  } finally {
    release()
  }
}

/** Root may put it back for the half's own user. */
function keepOwner(file: string, restoring: string): void {
  const { uid, gid } = statSync(dirname(file))
  if (process.getuid?.() === 0) chownSync(restoring, uid, gid)
}

/** Closing the last connection folds the log into the file. Where the database is damaged the log stays, and is kept beside it. */
function foldLog(file: string): void {
  if (!existsSync(file)) return
  try {
    withDatabase(
      file,
      () => new RollbackError(''),
      (connection) => connection.query('SELECT count(*) FROM sqlite_master', []),
    )
  } catch {
    // What cannot be read cannot be folded either.
  }
}

/** The present database gets a second name, so that there is no moment without one under the first. */
function keepPresent(file: string, kept: string): void {
  if (!existsSync(file)) return
  try {
    linkSync(file, kept)
  } catch {
    // Some file systems know no second name.
    copyFileSync(file, kept, constants.COPYFILE_EXCL)
  }
  if (existsSync(`${file}-wal`)) renameSync(`${file}-wal`, `${kept}-wal`)
  rmSync(`${file}-shm`, { force: true })
}

function withDatabase<T>(file: string, broken: (why: string) => RollbackError, work: (connection: Connection) => T): T {
  let connection: Connection | undefined
  try {
    connection = openConnection(file, { waitMs: commandWaitMs })
    return work(connection)
  } catch (cause) {
    throw cause instanceof RollbackError ? cause : broken(cause instanceof Error ? cause.message : String(cause))
  } finally {
    connection?.close()
  }
}
