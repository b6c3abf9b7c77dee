/** Reads a database of an older version on a migrated copy, so that the database itself never changes; one on PostgreSQL is not copied. */
import { mkdtempSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { copyDatabase } from './copy'
import { DatabaseError } from './database-error'
import type { DatabasePlace } from './place'
import { prepareDatabase } from './prepare'
import { findPendingAt } from './prepare-place'
import type { SchemaName } from './schema-engine'

/** The message of a command that must not change a database which an older version wrote. */
export const olderDatabase =
  'The database was written by an older version of Gatehouse. Start this version once, or run the command of that version.'

/**
 * Calls `read` with the place, or with a migrated copy of a file if its schema is older, which is deleted afterwards. `read` closes what it opens. Throws
 * DatabaseError, also for an older database on PostgreSQL.
 */
export async function readAnyVersion<Result>(
  { place, schema }: { place: DatabasePlace; schema: SchemaName },
  read: (place: DatabasePlace) => Promise<Result>,
): Promise<Result> {
  if ((await findPendingAt(place, schema)).length === 0) return await read(place)
  if (typeof place !== 'string') throw new DatabaseError(olderDatabase)
  // Next to the database, because the copy is as confidential and that disk has room for it.
  const folder = mkdtempSync(join(dirname(place), 'verify-'))
  try {
    const copy = join(folder, `${schema}.db`)
    copyDatabase(place, copy)
    await prepareDatabase({ file: copy, schema })
    return await read(copy)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
