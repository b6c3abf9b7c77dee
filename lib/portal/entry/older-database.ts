/** Runs commands on a database of an older version: reads use a migrated copy, so the database never changes. */
import 'server-only'
import { olderDatabase, readAnyVersion as readPlace } from '@/lib/database/any-version'
import { portalPlace } from '@/lib/database/place'
import { findPendingAt } from '@/lib/database/prepare-place'
import { Sqlite } from '@/lib/database/sqlite'
import { closeDatabase, openDatabase } from '@/lib/portal/base/db'
import { getSettings } from '@/lib/settings/settings'
import { Refusal } from './operator-command'

/** Runs `read` on the portal's database. If its schema is older, runs it on a migrated copy, which is deleted afterwards. */
export async function readAnyVersion<Result>(read: () => Promise<Result>): Promise<Result> {
  const present = portalPlace(getSettings())
  return await readPlace({ place: present, schema: 'portal' }, async (place) => {
    if (place === present || typeof place !== 'string') return await read()
    await closeDatabase()
    openDatabase(new Sqlite(place))
    try {
      return await read()
    } finally {
      await closeDatabase()
    }
  })
}

/** Refuses to change a database that an older version wrote. */
export async function requirePresentVersion(): Promise<void> {
  if ((await findPendingAt(portalPlace(getSettings()), 'portal')).length > 0) throw new Refusal(olderDatabase)
}
