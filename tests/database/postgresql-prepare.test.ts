/** A database on PostgreSQL is brought up to date whole or not at all, by one process, and by a user who may. */
import pg from 'pg'
import { expect, test } from 'vitest'
import { isMade } from '@/lib/database/is-made'
import { connectionOptions } from '@/lib/database/postgresql'
import { createMigrationAdapter, preparePostgresql } from '@/lib/database/postgresql-prepare'
import { findPendingAt, preparePlace } from '@/lib/database/prepare-place'
import { listMigrationNames, listMigrations, noFilters, withAdapter } from '@/lib/database/schema-engine'
import { openPostgresql, postgresqlMissing } from '../support/postgresql'

const onPostgresql = test.skipIf(postgresqlMissing)
const tables = `SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'`
const names = listMigrationNames('portal', 'postgresql')

onPostgresql('an empty database gets every table once, whoever comes first', async () => {
  await using place = await openPostgresql('empty')
  expect([await isMade(place.address), await findPendingAt(place.address, 'portal')]).toEqual([false, names])
  const prepared = await Promise.all([1, 2, 3].map(() => preparePlace(place.address, 'portal')))
  expect(prepared.map(({ applied }) => applied.length).sort()).toEqual([0, 0, names.length])
  expect([await isMade(place.address), await findPendingAt(place.address, 'portal')]).toEqual([true, []])
  expect(await place.ask('SELECT count(*)::int AS n FROM "AuditRow"')).toEqual([{ n: 0 }])
})

onPostgresql('a migration that fails stops the start and changes nothing, however often; afterwards it succeeds', async () => {
  await using place = await openPostgresql('empty')
  // What the first migration makes last is there already.
  await place.ask(`CREATE FUNCTION "json_member"(TEXT, TEXT) RETURNS TEXT LANGUAGE sql AS 'SELECT NULL'`)
  for (const _ of [1, 2]) {
    await expect(preparePlace(place.address, 'portal')).rejects.toThrow(
      /could not be migrated \(.*"json_member" already exists .*\)\. It is unchanged/,
    )
    expect(await place.ask(tables)).toEqual([])
  }
  await place.ask('DROP FUNCTION "json_member"')
  expect((await preparePlace(place.address, 'portal')).applied).toEqual(names)
})

onPostgresql('a database with tables of another program is refused', async () => {
  await using place = await openPostgresql('empty')
  await place.ask('CREATE TABLE "Other" (n INT)')
  await expect(preparePlace(place.address, 'portal')).rejects.toThrow(/could not be migrated \(The database schema is not empty/)
  expect(await place.ask(tables)).toEqual([{ table_name: 'Other' }])
})

onPostgresql('the user of a running Gatehouse may only read and write rows; one who has to migrate gets a reason', async () => {
  await using place = await openPostgresql('empty')
  const user = `app-${process.pid}`
  await place.ask(`CREATE ROLE "${user}" LOGIN`)
  try {
    await place.ask(`REVOKE CREATE ON SCHEMA public FROM PUBLIC`)
    await expect(preparePostgresql({ address: place.as(user), schema: 'portal' })).rejects.toThrow(
      /could not be migrated \(permission denied/,
    )
    await preparePostgresql({ address: place.address, schema: 'portal' })
    await place.ask(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO "${user}"`)
    expect(await preparePostgresql({ address: place.as(user), schema: 'portal' })).toEqual({ applied: [] })
  } finally {
    await place.ask(`DROP OWNED BY "${user}"; DROP ROLE "${user}"`)
  }
})

onPostgresql('a database of a newer version, one that sorts otherwise, and one that is not there are refused with one line', async () => {
  await using newer = await openPostgresql('portal')
  await newer.ask(
    `INSERT INTO "_prisma_migrations" (id, checksum, finished_at, migration_name) VALUES ('x', 'y', now(), '29990101000000_later')`,
  )
  await expect(preparePlace(newer.address, 'portal')).rejects.toThrow(/newer Gatehouse .*29990101000000_later/)
  await using latin = await openPostgresql('empty', { locale: `ENCODING 'SQL_ASCII' LOCALE 'C'` })
  await expect(preparePlace(latin.address, 'portal')).rejects.toThrow(/Create it with TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8'/)
  const missing = { ...newer.address, database: 'none' }
  await expect(preparePlace(missing, 'portal')).rejects.toThrow(
    /^The database none at .* cannot be used \(database "none" does not exist\)\.$/,
  )
  await expect(preparePlace({ ...missing, host: '/nowhere' }, 'portal')).rejects.toThrow(/cannot be used \(connect ENOENT/)
})

onPostgresql('a migration leaves no lock to the connection, which a pooler may give to others', async () => {
  await using place = await openPostgresql('empty')
  const session = new pg.Client(connectionOptions(place.address))
  await session.connect()
  try {
    await session.query('BEGIN')
    await withAdapter({ schema: 'service', engine: 'postgresql', adapter: createMigrationAdapter(session) }, (engine) =>
      engine.applyMigrations({ migrationsList: listMigrations('service', 'postgresql'), filters: noFilters }),
    )
    const locks = async () =>
      (await session.query(`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()`)).rowCount
    expect(await locks()).toBe(1)
    await session.query('COMMIT')
    expect(await locks()).toBe(0)
  } finally {
    await session.end()
  }
})
