/** A consistent copy of a database that may be in use, made by SQLite itself. */
import { chmodSync, renameSync, rmSync } from 'node:fs'
import { openConnection } from './connection'
import { commandWaitMs } from './patience'

/**
 * Writes the copy for its owner alone, replacing any existing file. It has another name until it is complete. Blocks nobody: readers and
 * writers continue. Throws SqliteError, and removes the partial copy, when the database cannot be read or the disk is full.
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
