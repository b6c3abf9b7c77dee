/** The migrations for PostgreSQL. */
import { expect, test } from 'vitest'
import { diffMigrationsOnPostgresql } from '@/lib/database/create-migration'
import { openPostgresql, postgresqlMissing } from '../support/postgresql'

test.skipIf(postgresqlMissing).each(['portal', 'service'] as const)('the migrations of the %s make exactly its schema', async (schema) => {
  await using empty = await openPostgresql('empty')
  expect(await diffMigrationsOnPostgresql(schema, empty.address)).toBe('')
  expect(await empty.ask(`SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'`)).toEqual([])
})
