/** Reads a database of an older version on a migrated copy, so that the database itself never changes. */
import { mkdtempSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { copyDatabase } from './copy'
import { findPending, prepareDatabase } from './prepare'
import type { SchemaName } from './schema-engine'

/** The message of a command that must not change a database which an older version wrote. */
export const olderDatabase =
  'The database was written by an older version of Gatehouse. Start this version once, or run the command of that version.'

/**
 * Calls `read` with the file, or with a migrated copy if its schema is older, which is deleted afterwards. `read` closes what it opens. Throws
 * DatabaseError.
 */
export async function readAnyVersion<Result>(
  { file, schema }: { file: string; schema: SchemaName },
  read: (file: string) => Promise<Result>,
): Promise<Result> {
  if (findPending(file, schema).length === 0) return await read(file)
  // Next to the database, because the copy is as confidential and that disk has room for it.
  const folder = mkdtempSync(join(dirname(file), 'verify-'))
  try {
    const copy = join(folder, `${schema}.db`)
    copyDatabase(file, copy)
    await prepareDatabase({ file: copy, schema })
    return await read(copy)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
