/** A database file that is about to be replaced by another: locked against everybody, and swapped in one step. */
import { chmodSync, closeSync, fsyncSync, openSync, renameSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Connection, isBusy, openConnection, SqliteError, sqliteCode } from './connection'
import { commandWaitMs } from './patience'

export type LockedDatabase = {
  /** Writes a copy, whole and for its owner alone. Throws SqliteError. */
  copyTo(copy: string): void
  /** The file was replaced: lets go of what has no name any more. */
  close(): void
  /** The file stays: others may use it again. */
  release(): void
}

/**
 * Nobody else can read or write the file until it is replaced or given back; its write-ahead log is folded into it. What a
 * command or a shell wrote after the copy would be gone, and a log of theirs would be taken for the new file's.
 * Throws SqliteError when another program has it open.
 */
export function lockForReplace(file: string): LockedDatabase {
  const connection = openConnection(file, { waitMs: commandWaitMs })
  try {
    connection.script('PRAGMA locking_mode = EXCLUSIVE')
    leaveLog(connection)
    // The lock is taken by the first change and kept after it.
    connection.script('BEGIN EXCLUSIVE; COMMIT')
  } catch (error) {
    connection.close()
    throw isBusy(error) ? new SqliteError('another program has it open', sqliteCode.busy, { cause: error }) : error
  }
  return {
    copyTo: (copy) => {
      connection.execute('VACUUM INTO ?', [copy])
      chmodSync(copy, 0o600)
    },
    close: () => connection.close(),
    release: () => {
      connection.script('PRAGMA locking_mode = NORMAL; PRAGMA journal_mode = WAL')
      connection.close()
    },
  }
}

/** Leaving the mode takes the only connection there is, and removes the log. */
function leaveLog(connection: Connection): void {
  const mode = connection.query('PRAGMA journal_mode = DELETE', []).rows[0]?.[0]
  if (mode !== 'delete') throw new SqliteError('database is locked', sqliteCode.busy)
}

/** Gives a closed file another name, over whatever has it. What the disk holds is whole before and after. */
export function moveInto(file: string, name: string): void {
  sync(file)
  renameSync(file, name)
  sync(dirname(name))
}

function sync(path: string): void {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
