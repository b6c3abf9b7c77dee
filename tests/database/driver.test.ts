/** The driver beneath Prisma: what goes in comes out, and no failure leaves a connection that acknowledges in vain. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Connection, openConnection, SqliteError, sqliteCode } from '@/lib/database/connection'
import { prepareDatabase } from '@/lib/database/prepare'
import { createAdapter } from '@/lib/database/prisma-adapter'
import { type OpenConnection, Sqlite } from '@/lib/database/sqlite'
import { PrismaClient } from '@/prisma/generated/portal/client'
import { runSql } from '../support/sqlite-file'

async function openFresh(open?: OpenConnection) {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-driver-'))
  const file = join(dir, 'portal.db')
  await prepareDatabase({ file, schema: 'portal' })
  const database = new Sqlite(file, open)
  const client = new PrismaClient({ adapter: createAdapter(database) })
  return {
    file,
    client,
    database,
    [Symbol.asyncDispose]: async () => {
      await client.$disconnect()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

test('a text with a NUL matches no row whose text ends there, and nothing after the NUL is dropped', async () => {
  await using fresh = await openFresh()
  const { client } = fresh
  await client.team.create({ data: { id: 'team', name: 'Northwind' } })
  expect(await client.team.findUnique({ where: { id: 'team\0zzz' } })).toBeNull()
  expect(await client.team.findMany({ where: { name: { in: ['Northwind\0'] } } })).toEqual([])
  await client.team.update({ where: { id: 'team' }, data: { name: 'a\0b \ud800 c' } })
  expect(await client.team.findUnique({ where: { id: 'team' } })).toMatchObject({ name: 'a\ufffdb \ufffd c' })
})

test('dates, numbers, bytes and long texts are read back unchanged', async () => {
  await using fresh = await openFresh()
  const { client, file } = fresh
  await client.team.create({ data: { id: 'team', name: '日本 '.repeat(100_000), createdAt: new Date('1969-12-31T23:59:59.999Z') } })
  const team = await client.team.findUnique({ where: { id: 'team' } })
  expect([team?.name.length, team?.createdAt.toISOString()]).toEqual([300_000, '1969-12-31T23:59:59.999Z'])
  expect(runSql(file, 'SELECT createdAt FROM "Team"')).toEqual([{ createdAt: '1969-12-31T23:59:59.999+00:00' }])
  const canary = new Uint8Array([0, 255, 1, 0])
  await client.keyEncryptionKey.create({ data: { id: 'k', provider: 'file', state: 'active', canary, wraps: 2_147_483_647 } })
  expect(await client.keyEncryptionKey.findUnique({ where: { id: 'k' } })).toMatchObject({ canary, wraps: 2_147_483_647 })
})

/** A connection whose ROLLBACK fails as long as `broken` says so. */
const failingRollback =
  (broken: () => boolean): OpenConnection =>
  (file, options) => {
    const connection = openConnection(file, options)
    const execute: Connection['execute'] = (sql, values) => {
      if (sql === 'ROLLBACK' && broken()) throw new SqliteError('disk I/O error', sqliteCode.ioError)
      return connection.execute(sql, values)
    }
    return Object.create(connection, { execute: { value: execute } })
  }

test('after a failed rollback, acknowledged writes are committed, and the transaction is not', async () => {
  let broken = true
  await using fresh = await openFresh(failingRollback(() => broken))
  const { client, file } = fresh
  const failing = client.$transaction(async (transaction) => {
    await transaction.team.create({ data: { id: 'half', name: 'x' } })
    throw new Error('changed my mind')
  })
  await expect(failing).rejects.toThrow()
  broken = false
  for (const id of ['one', 'two']) await client.team.create({ data: { id, name: 'x' } })
  expect(runSql(file, 'SELECT id FROM "Team" ORDER BY id')).toEqual([{ id: 'one' }, { id: 'two' }])
})

test('the data version never repeats when the connections are reopened', async () => {
  await using fresh = await openFresh()
  const { client, database } = fresh
  const seen = new Set<number>()
  for (const id of ['one', 'two', 'three']) {
    await client.team.create({ data: { id, name: 'x' } })
    seen.add(database.dataVersion())
    await database.close()
  }
  expect(seen.size).toBe(3)
})
