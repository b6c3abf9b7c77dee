/** A newer version comes to a database on which portals of the version before work. */
import { expect, test, vi } from 'vitest'
import { preparePlace } from '@/lib/database/prepare-place'
import { requireAlone } from '@/lib/upgrade/alone'
import { openPostgresql, postgresqlMissing } from '../support/postgresql'

let adds = true
vi.mock('@/lib/database/additive', () => ({ isAdditive: () => adds }))

/** The newest migration is missing; what it does is done, so that applying it fails with a sentence. */
async function openOlder() {
  const place = await openPostgresql('portal')
  await place.ask(`DELETE FROM "_prisma_migrations" WHERE "migration_name" = (SELECT max("migration_name") FROM "_prisma_migrations")`)
  return place
}

const live = (id: string, silentSeconds = 0) =>
  `INSERT INTO "PortalProcess" ("id", "heardAt") VALUES ('${id}', (clock_timestamp() AT TIME ZONE 'UTC') - interval '${silentSeconds} seconds')`

test.skipIf(postgresqlMissing)(
  'a migration that only adds is applied beside them, and another one is refused until they are stopped',
  async () => {
    await using place = await openOlder()
    const migrates = /could not be migrated \(.*(already exists|does not exist)/
    await place.ask(live('older', -20))
    adds = true
    await expect(preparePlace(place.address, 'portal')).rejects.toThrow(migrates)
    adds = false
    await expect(preparePlace(place.address, 'portal')).rejects.toThrow(
      /Portals of the version before use the database .* Stop all of them first\.$/,
    )
    // One that was killed a moment ago is waited for.
    await place.ask('DELETE FROM "PortalProcess"')
    await place.ask(live('killed', 13))
    await expect(preparePlace(place.address, 'portal')).rejects.toThrow(migrates)
  },
)

test.skipIf(postgresqlMissing)(
  'a move between versions that puts databases back is refused while other portals use the database',
  async () => {
    await using place = await openPostgresql('portal')
    await place.ask(live('this one', -60))
    await requireAlone(place.address, true)
    await place.ask(live('another one', -60))
    await expect(requireAlone(place.address, true)).rejects.toThrow(/Other portals use the database .* one after another/)
    await requireAlone(null, true)
  },
)
