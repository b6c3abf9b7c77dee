/** Restores the copy of a database from before an upgrade. */
import { chmodSync, chownSync, constants, copyFileSync, existsSync, linkSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { claimDatabase } from '@/lib/database/claim'
import { type Connection, openConnection } from '@/lib/database/connection'
import { commandWaitMs } from '@/lib/database/patience'
import { moveInto } from '@/lib/database/replace'
import type { Half } from './losses'

/** A rollback is impossible; the message is one line for the operator. Nothing was changed. */
export class RollbackError extends Error {}

/** A table that only this database has. */
const ownTable: Record<Half, string> = { portal: 'AuditRow', service: 'Machine' }

/** Throws RollbackError unless the file is a complete database of that kind. */
export function checkCopy(half: Half, copy: string): void {
  const broken = (why: string) => new RollbackError(`${copy} cannot be restored: ${why}. Name another copy.`)
  if (!existsSync(copy)) throw broken('it does not exist')
  withDatabase(copy, broken, (connection) => {
    const [found] = connection.query('PRAGMA integrity_check(1)', []).rows
    if (found?.[0] !== 'ok') throw broken('it is damaged')
    const tables = connection.query("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name IN ('_prisma_migrations', ?)", [
      ownTable[half],
    ])
    if (tables.rows.length < 2) throw broken(`it is not a database of the ${half}`)
  })
}

/**
 * Replaces the database with the checked copy, without the old database's `-wal` and `-shm`. Keeps the old database as `kept`. After
 * RollbackError or ClaimError nothing was changed.
 */
export function restoreCopy(half: Half, file: string, copy: string): { kept: string } {
  checkCopy(half, copy)
  if (realpathSync(copy) === file) throw new RollbackError(`${copy} is the current database. Name a copy of it.`)
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
    throw new RollbackError(`The copy could not be restored: ${cause instanceof Error ? cause.message : String(cause)}.`, { cause })
  } finally {
    release()
  }
}

/** If root restores the copy, the file gets the owner of its folder. */
function keepOwner(file: string, restoring: string): void {
  const { uid, gid } = statSync(dirname(file))
  if (process.getuid?.() === 0) chownSync(restoring, uid, gid)
}

/** Closing the last connection merges the log into the file. If the database is damaged, the log is kept next to it. */
function foldLog(file: string): void {
  if (!existsSync(file)) return
  try {
    withDatabase(
      file,
      () => new RollbackError(''),
      (connection) => connection.query('SELECT count(*) FROM sqlite_master', []),
    )
  } catch {
    // The log of an unreadable database cannot be merged.
  }
}

/** Gives the present database a second name, so that the first one never disappears. */
function keepPresent(file: string, kept: string): void {
  if (!existsSync(file)) return
  try {
    linkSync(file, kept)
  } catch {
    // Some file systems do not support hard links.
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
