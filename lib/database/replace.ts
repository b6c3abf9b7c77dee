/** Replaces a database file: locks it exclusively and swaps it in one step. */
import { chmodSync, closeSync, fsyncSync, openSync, renameSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Connection, isBusy, openConnection, SqliteError, sqliteCode } from './connection'
import { commandWaitMs, untilUnlocked } from './patience'

export type LockedDatabase = {
  /** Writes a complete copy, readable only by its owner. Throws SqliteError. */
  copyTo(copy: string): void
  /** After the file was replaced: closes the connection to the old one. */
  close(): void
  /** If the file stays: others may use it again. */
  release(): void
}

const waitMs = 1_000

/**
 * Until it is replaced or released, nobody else can read or write the file, and its write-ahead log is part of it. Otherwise writes of
 * another program after the copy would be lost, and their log would be taken for the new file's. Throws SqliteError if another
 * program still has it open after a second, and SQLite's own wait for a lock: another start only reads it for a moment.
 */
export const lockForReplace = (file: string): Promise<LockedDatabase> => untilUnlocked(() => lock(file), Date.now() + waitMs)

function lock(file: string): LockedDatabase {
  const connection = openConnection(file, { waitMs: commandWaitMs })
  try {
    connection.script('PRAGMA locking_mode = EXCLUSIVE')
    leaveLog(connection)
    // The first change takes the lock, which is then kept.
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

/** Leaving WAL mode requires that no other connection is open, and removes the log. */
function leaveLog(connection: Connection): void {
  const mode = connection.query('PRAGMA journal_mode = DELETE', []).rows[0]?.[0]
  if (mode !== 'delete') throw new SqliteError('database is locked', sqliteCode.busy)
}

/** Renames a closed file over any existing one. There is a complete file on disk at any moment. */
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
