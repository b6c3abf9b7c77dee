/** Runs commands on a database of an older version: reads use a migrated copy, so the database never changes. */
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

/** Runs `read` on the portal's database. If its schema is older, runs it on a migrated copy, which is deleted afterwards. */
export async function readAnyVersion<Result>(read: () => Promise<Result>): Promise<Result> {
  if (!isOlder()) return await read()
  const { portalDatabase } = getSettings()
  // Next to the database, because the copy is as confidential and that disk has room for it.
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
