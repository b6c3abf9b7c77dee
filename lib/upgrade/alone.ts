/** A rollback, and an upgrade that fails, put back the database of before, and so take from other portals what they wrote meanwhile. */
import { describeAddress } from '@/lib/database/postgresql'
import { areFew } from '@/lib/database/postgresql-portals'
import { withSession } from '@/lib/database/postgresql-session'
import type { PostgresqlAddress } from '@/lib/settings/database'
import { UpgradeError } from './installation'

/** address: the portal's database, null for a file. running: whether this installation's portal is one of those that use it. Rejects with UpgradeError. */
export async function requireAlone(address: PostgresqlAddress | null, running: boolean): Promise<void> {
  if (address === null || (await withSession(address, (session) => areFew(session, running ? 1 : 0)))) return
  throw new UpgradeError(
    `Other portals use the database ${describeAddress(address)}, and going back to the database of before would take with it what they wrote. Stop them first, or change the portals one after another: docs/running.md shows how.`,
  )
}
