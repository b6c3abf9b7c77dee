/** Makes a consistent copy of a database that may be in use, with SQLite's own means. */
import { chmodSync, renameSync, rmSync } from 'node:fs'
import { openConnection } from './connection'
import { commandWaitMs } from './patience'

/**
 * Writes the copy, readable only by its owner, and replaces any existing file; it has a temporary name until it is complete. Readers and
 * writers continue meanwhile. If the database cannot be read or the disk is full, removes the partial copy and throws SqliteError.
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
