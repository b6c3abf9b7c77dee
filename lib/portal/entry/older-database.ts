/** Runs commands on a database of an older version: reads use a migrated copy, so the database never changes. */
import 'server-only'
import { olderDatabase, readAnyVersion as readFile } from '@/lib/database/any-version'
import { findPending } from '@/lib/database/prepare'
import { Sqlite } from '@/lib/database/sqlite'
import { closeDatabase, openDatabase } from '@/lib/portal/base/db'
import { getSettings } from '@/lib/settings/settings'
import { Refusal } from './operator-command'

/** Runs `read` on the portal's database. If its schema is older, runs it on a migrated copy, which is deleted afterwards. */
export async function readAnyVersion<Result>(read: () => Promise<Result>): Promise<Result> {
  const { portalDatabase } = getSettings()
  return await readFile({ file: portalDatabase, schema: 'portal' }, async (file) => {
    if (file === portalDatabase) return await read()
    await closeDatabase()
    openDatabase(new Sqlite(file))
    try {
      return await read()
    } finally {
      await closeDatabase()
    }
  })
}

/** Refuses to change a database that an older version wrote. */
export function requirePresentVersion(): void {
  if (findPending(getSettings().portalDatabase, 'portal').length > 0) throw new Refusal(olderDatabase)
}
