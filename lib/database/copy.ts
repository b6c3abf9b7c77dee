/** A consistent copy of a database that may be in use, made by SQLite itself. */
import { chmodSync, rmSync } from 'node:fs'
import { createClient } from '@libsql/client'

/** Writes the copy for its owner alone, over whatever was there. Holds nobody up: readers and writers go on. */
export async function copyDatabase(file: string, copy: string): Promise<void> {
  rmSync(copy, { force: true })
  const client = createClient({ url: `file:${file}` })
  try {
    await client.execute('PRAGMA busy_timeout = 5000')
    await client.execute({ sql: 'VACUUM INTO ?', args: [copy] })
    chmodSync(copy, 0o600)
  } finally {
    client.close()
  }
}
