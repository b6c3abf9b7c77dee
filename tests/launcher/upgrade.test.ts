/** `git pull`, `npm run up`: the data of an older Gatehouse is upgraded, with a copy kept. */
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openConnection } from '@/lib/database/connection'
import { listMigrations, noFilters, type SchemaName, withSchemaEngine } from '@/lib/database/schema-engine'
import { createKeyFile } from '@/lib/sealing/key-file'
import { makePlace, type Place, runGatehouse, startGatehouse } from '../support/gatehouse-process'
import { runSql } from '../support/sqlite-file'

const fileOf = (place: Place, schema: SchemaName) => join(place.dir, 'data', schema, `${schema}.db`)

/** The database as the first version created it. */
async function makeFirstState(place: Place, schema: SchemaName): Promise<void> {
  mkdirSync(join(place.dir, 'data', schema), { recursive: true, mode: 0o700 })
  openConnection(fileOf(place, schema)).close()
  const migrations = listMigrations(schema)
  await withSchemaEngine(schema, fileOf(place, schema), (engine) =>
    engine.applyMigrations({
      migrationsList: { ...migrations, migrationDirectories: migrations.migrationDirectories.slice(0, 1) },
      filters: noFilters,
    }),
  )
}

test('databases of the first version are upgraded: rows stay, and a copy is kept of each that changed', async () => {
  using place = await makePlace()
  for (const name of ['portal/kek', 'portal/session', 'service/kek']) createKeyFile(join(place.dir, `keys/${name}.key`)).fill(0)
  for (const schema of ['portal', 'service'] as const) await makeFirstState(place, schema)
  runSql(fileOf(place, 'portal'), `INSERT INTO "Team" ("id", "name") VALUES ('t', 'Northwind Ops')`)
  runSql(
    fileOf(place, 'portal'),
    `INSERT INTO "User" ("id", "email", "name", "passwordHash") VALUES ('u', 'mira@northwind.test', 'Mira', 'x')`,
  )
  runSql(fileOf(place, 'portal'), `INSERT INTO "Membership" ("userId", "teamId", "role") VALUES ('u', 't', 'owner')`)
  runSql(fileOf(place, 'service'), `INSERT INTO "Account" ("id", "name") VALUES ('a', 'somebody')`)
  await using gatehouse = await startGatehouse(place)
  expect(gatehouse.setupLink).toBeNull()
  expect(runSql(fileOf(place, 'portal'), 'SELECT "name" FROM "Team"')).toMatchObject([{ name: 'Northwind Ops' }])
  expect(runSql(fileOf(place, 'service'), 'SELECT "name" FROM "Account" ORDER BY "name"')).toMatchObject([
    { name: 'portal' },
    { name: 'somebody' },
  ])
  for (const schema of ['portal', 'service'] as const) {
    const copies = readdirSync(join(place.dir, 'data', schema)).filter((name) => name.includes('.before-'))
    expect(copies).toHaveLength(listMigrations(schema).migrationDirectories.length > 1 ? 1 : 0)
  }
})

test('a database migrated by a newer version is refused in one line, and nothing is started', async () => {
  using place = await makePlace()
  await (await startGatehouse(place)).stop()
  runSql(
    fileOf(place, 'portal'),
    `INSERT INTO "_prisma_migrations" ("id", "checksum", "finished_at", "migration_name", "started_at", "applied_steps_count")
     VALUES ('x', 'x', current_timestamp, '29990101000000_of_a_later_version', current_timestamp, 1)`,
  )
  const { code, output } = await runGatehouse(place)
  expect(code).not.toBe(0)
  expect(output).toMatch(/created by a newer Gatehouse \(migration 29990101000000_of_a_later_version\)/)
})
