/** A consistent copy of a database that may be in use, made by SQLite itself. */
import { chmodSync, renameSync, rmSync } from 'node:fs'
import { openConnection } from './connection'
import { commandWaitMs } from './patience'

/**
 * Writes the copy for its owner alone, over whatever was there: under another name first, so that a copy with this name is
 * whole. Holds nobody up: readers and writers continue. Throws SqliteError when the database cannot be read or the disk is
 * full; what was begun is removed.
 */
export function copyDatabase(file: string, copy: string): void {
  const unfinished = `${copy}.unfinished`
  rmSync(unfinished, { force: true })
  const connection = openConnection(file, { waitMs: commandWaitMs })
  try {
    connection.execute('VACUUM INTO ?', [unfinished])
    chmodSync(unfinished, 0o600)
    renameSync(unfinished, copy)
  } catch (error) {
    rmSync(unfinished, { force: true })
    throw error
  } finally {
    connection.close()
  }
}
