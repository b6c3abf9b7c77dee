/** A pooler that gives each transaction any connection: migrations, writes that take turns, cached reads and dumps go through it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { dumpDatabase, restoreDump } from '@/lib/database/dump'
import { Postgresql } from '@/lib/database/postgresql'
import { createPostgresqlAdapter } from '@/lib/database/postgresql-adapter'
import { preparePostgresql } from '@/lib/database/postgresql-prepare'
import { transactionOptions } from '@/lib/database/prisma-adapter'
import { listMigrationNames } from '@/lib/database/schema-engine'
import type { PostgresqlAddress } from '@/lib/settings/database'
import type { PrismaClient } from '@/prisma/generated/portal/client'
import { getPrismaClientClass } from '@/prisma/generated/portal/internal/class-postgresql'
import { openPgbouncer, pgbouncerMissing } from '../support/pgbouncer'
import { openPostgresql, postgresqlMissing } from '../support/postgresql'

const throughPooler = test.skipIf(postgresqlMissing ?? pgbouncerMissing)

function connect(address: PostgresqlAddress): AsyncDisposable & { db: PrismaClient; database: Postgresql } {
  const database = new Postgresql(address)
  const Client = getPrismaClientClass()
  const db = new Client({ adapter: createPostgresqlAdapter(database), transactionOptions }) as unknown as PrismaClient
  return { db, database, [Symbol.asyncDispose]: () => database.close() }
}

throughPooler('migrations run once, and transactions of several processes take turns', async () => {
  await using place = await openPostgresql('empty')
  await using pooler = await openPgbouncer(place.address, [place.address.user])
  const address = pooler.through(place.address)
  const prepared = await Promise.all([1, 2, 3].map(() => preparePostgresql({ address, schema: 'portal' })))
  expect(prepared.flatMap(({ applied }) => applied)).toEqual(listMigrationNames('portal', 'postgresql'))
  await using one = connect(address)
  await using other = connect(address)
  await one.db.team.create({ data: { id: 't', name: '0' } })
  const before = await other.database.dataVersion()
  const increment = ({ db }: { db: PrismaClient }) =>
    db.$transaction(async (tx) => {
      const { name } = await tx.team.findUniqueOrThrow({ where: { id: 't' } })
      await tx.team.update({ where: { id: 't' }, data: { name: String(Number(name) + 1) } })
    })
  const reads = Array.from({ length: 40 }, (_, n) => (n % 2 ? one : other).db.team.count())
  await Promise.all([...Array.from({ length: 40 }, (_, n) => increment(n % 2 ? one : other)), ...reads])
  expect(await other.db.team.findUnique({ where: { id: 't' } })).toMatchObject({ name: '40' })
  await new Promise(setImmediate)
  expect(await other.database.dataVersion()).not.toBe(before)
})

throughPooler('dumps and restores go through it', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-pooled-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  await using place = await openPostgresql('portal')
  await using empty = await openPostgresql('empty')
  await using pooler = await openPgbouncer(place.address, [place.address.user])
  await place.ask(`INSERT INTO "Team" (id, name) VALUES ('t', 'Northwind')`)
  await dumpDatabase(pooler.through(place.address), join(dir, 'copy'))
  await restoreDump(join(dir, 'copy'), pooler.through(empty.address))
  expect(await empty.ask('SELECT name FROM "Team"')).toEqual([{ name: 'Northwind' }])
})
