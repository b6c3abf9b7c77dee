import { expect, test } from 'vitest'
import { Postgresql } from '@/lib/database/postgresql'
import { endDatabase, openDatabase } from '@/lib/portal/base/db'
import { dialect } from '@/lib/portal/base/sql/dialect'

test('the engine is known also of a database that another copy of the code has opened, as between the bundles of Next', async () => {
  const again: string = '../../../lib/database/postgresql?again'
  const copy: { Postgresql: typeof Postgresql } = await import(again)
  expect(copy.Postgresql).not.toBe(Postgresql)
  const nobody = { host: '/nowhere', port: 5432, user: 'nobody', database: 'none', passwordFile: null, tls: null }
  openDatabase(new copy.Postgresql(nobody))
  expect(dialect().writeNothing.sql).not.toContain('PRAGMA')
  await endDatabase()
})
