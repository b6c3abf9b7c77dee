/** Commands on a database that an older version wrote: read on a migrated copy, never changed. */
import 'server-only'
import { mkdtempSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { copyDatabase } from '@/lib/database/copy'
import { findPending, prepareDatabase } from '@/lib/database/prepare'
import { Sqlite } from '@/lib/database/sqlite'
import { closeDatabase, openDatabase } from '@/lib/portal/base/db'
import { getSettings } from '@/lib/settings/settings'
import { Refusal } from './operator-command'

const isOlder = (): boolean => findPending(getSettings().portalDatabase, 'portal').length > 0

/** Runs `read` on the portal's database, or, where that has an older schema, on a copy brought up to this program's, removed afterwards. */
export async function readAnyVersion<Result>(read: () => Promise<Result>): Promise<Result> {
  if (!isOlder()) return await read()
  const { portalDatabase } = getSettings()
  // Beside the database: it is as private there, and the disk is one that holds it.
  const folder = mkdtempSync(join(dirname(portalDatabase), 'verify-'))
  try {
    const copy = join(folder, 'portal.db')
    copyDatabase(portalDatabase, copy)
    await prepareDatabase({ file: copy, schema: 'portal' })
    await closeDatabase()
    openDatabase(new Sqlite(copy))
    return await read()
  } finally {
    await closeDatabase()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Refuses to change a database that an older version wrote. */
export function requirePresentVersion(): void {
  if (isOlder())
    throw new Refusal(
      'The database was written by an older version of Gatehouse. Start this version once, or run the command of that version.',
    )
}
