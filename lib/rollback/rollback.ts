/** Puts the copy of a database from before an upgrade back in its place. */
import { chmodSync, constants, copyFileSync, existsSync, linkSync, renameSync, rmSync } from 'node:fs'
import { claimDatabase } from '@/lib/database/claim'
import { type Connection, openConnection } from '@/lib/database/connection'
import { commandWaitMs } from '@/lib/database/patience'

/** A rollback that cannot be done; the message is one line for the operator. Nothing was changed. */
export class RollbackError extends Error {}

/** Throws RollbackError unless the file is a whole database of Gatehouse. */
export function checkCopy(copy: string): void {
  const broken = (why: string) => new RollbackError(`${copy} cannot be put back: ${why}. Name another copy.`)
  if (!existsSync(copy)) throw broken('it does not exist')
  withDatabase(copy, (connection) => {
    const [found] = connection.query('PRAGMA integrity_check(1)', []).rows
    if (found?.[0] !== 'ok') throw broken(`it is damaged (${String(found?.[0])})`)
    const tables = connection.query("SELECT 1 FROM sqlite_master WHERE name = '_prisma_migrations'", []).rows
    if (tables.length === 0) throw broken('it is no database of Gatehouse')
  })
}

/**
 * Swaps the checked copy in, without what the other database left in `-wal` and `-shm`. The database that was there stays
 * as `kept`. Throws RollbackError or ClaimError with nothing changed.
 */
export function putBack(file: string, copy: string): { kept: string } {
  checkCopy(copy)
  const release = claimDatabase(file)
  const kept = `${file}.rolled-back-${new Date().toISOString().replace(/\D/g, '').slice(0, 14)}`
  const restoring = `${file}.restoring`
  try {
    foldLog(file)
    copyFileSync(copy, restoring)
    chmodSync(restoring, 0o600)
    keepPresent(file, kept)
    renameSync(restoring, file)
    return { kept }
  } catch (cause) {
    rmSync(restoring, { force: true })
    throw new RollbackError(`The copy could not be put back: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  } finally {
    release()
  }
}

/** Closing the last connection folds the log into the file. Where the database is damaged the log stays, and is kept beside it. */
function foldLog(file: string): void {
  if (!existsSync(file)) return
  try {
    withDatabase(file, (connection) => connection.query('SELECT count(*) FROM sqlite_master', []))
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

function withDatabase<T>(file: string, work: (connection: Connection) => T): T {
  let connection: Connection | undefined
  try {
    connection = openConnection(file, { waitMs: commandWaitMs })
    return work(connection)
  } catch (cause) {
    if (cause instanceof RollbackError) throw cause
    throw new RollbackError(`${file} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}.`, { cause })
  } finally {
    connection?.close()
  }
}
