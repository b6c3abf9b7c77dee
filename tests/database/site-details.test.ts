/** The migration that puts what lists only show of a site into one value: rows of before keep what they had. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openConnection } from '@/lib/database/connection'
import { type Engine, listMigrations } from '@/lib/database/schema-engine'
import { siteDetails } from '@/lib/portal/subjects/sites/details'
import { openPostgresql, postgresqlMissing } from '../support/postgresql'
import { runSql } from '../support/sqlite-file'

const before = `
  INSERT INTO "Team" ("id", "name") VALUES ('t', 'Northwind');
  INSERT INTO "Site" ("id", "teamId", "origin", "upstreamId", "domain", "usage", "address", "mx", "staging", "state", "ssl", "expires", "listedAt")
    VALUES ('s', 't', 'https://service.example', '1', 'a.example', '12 GB', '192.0.2.1, ::1', 'mail "é" \\ \u2028', 'staging.a.example', 'ready', 'on', '2027', CURRENT_TIMESTAMP)`
const listed = { usage: '12 GB', address: '192.0.2.1, ::1', mx: 'mail "é" \\ \u2028', staging: 'staging.a.example' }
/** Columns that were added since. */
const later = { php: '', app: '', appVersion: '', aliases: [], backupAt: '' }
const read = 'SELECT "domain", "state", "ssl", "expires", "details" FROM "Site"'

/** The statements of all migrations up to this one without it, and of it with those that follow. */
function divide(engine: Engine): [string[], string[]] {
  const all = listMigrations('portal', engine).migrationDirectories
  const place = all.findIndex(({ path }) => path.endsWith('_site_details'))
  const scripts = all.map(({ migrationFile }) => migrationFile.content.value)
  return [scripts.slice(0, place), scripts.slice(place)]
}

function expectKept(rows: readonly Record<string, unknown>[]): void {
  expect(rows).toHaveLength(1)
  const { details, ...columns } = rows[0] ?? {}
  expect(columns).toEqual({ domain: 'a.example', state: 'ready', ssl: 'on', expires: '2027' })
  expect(siteDetails.read(String(details))).toEqual({ ...listed, ...later })
}

test('on SQLite', () => {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-details-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const [earlier, later] = divide('sqlite')
  const connection = openConnection(join(dir, 'portal.db'))
  for (const script of [...earlier, before, ...later]) connection.script(script)
  connection.close()
  expectKept(runSql(join(dir, 'portal.db'), read))
})

test.skipIf(postgresqlMissing)('on PostgreSQL', async () => {
  await using place = await openPostgresql('empty')
  const [earlier, later] = divide('postgresql')
  for (const script of [...earlier, before, ...later]) await place.ask(script)
  expectKept(await place.ask(read))
})
