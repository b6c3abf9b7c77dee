/** Every raw statement of the service runs on both engines, and the service itself opens on PostgreSQL. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, parse } from 'node:path'
import { expect, test } from 'vitest'
import { ensureAccount } from '@/lib/service/store/accounts'
import { openStore } from '@/lib/service/store/db'
import { fillAccount } from '@/lib/service/store/seed'
import { dialectOf } from '@/lib/service/store/sql/dialect'
import { writeNothing } from '@/lib/service/store/sql/health'
import { deleteEventsBefore, insertEventLines } from '@/lib/service/store/sql/run-events'
import { insertSeed } from '@/lib/service/store/sql/seed'
import type { Database } from '@/lib/service/store/store'
import { openPostgresql, postgresqlMissing } from '../support/postgresql'
import { register } from './conformance/servers'
import { get, readInstall } from './support/caller'
import { openTestService } from './support/service'

const covered: Record<string, readonly unknown[]> = {
  dialect: [dialectOf],
  health: [writeNothing],
  'run-events': [insertEventLines, deleteEventsBefore],
  seed: [insertSeed],
}

test('every raw statement is in the list', async () => {
  const names = readdirSync('lib/service/store/sql').map((file) => parse(file).name)
  const exported = await Promise.all(
    names.map(async (name) => [name, new Set(Object.values(await import(`../../lib/service/store/sql/${name}.ts`)))] as const),
  )
  expect(new Map(exported)).toEqual(new Map(Object.entries(covered).map(([name, values]) => [name, new Set(values)])))
})

async function runAll(db: Database): Promise<void> {
  await writeNothing(db)
  const { id: accountId } = await ensureAccount(db, 'default')
  await fillAccount(db, accountId, 3)
  const [machine, ...others] = await db.machine.findMany({ include: { sandbox: true }, orderBy: { host: 'asc' } })
  expect([others.length, machine?.provider, machine?.sandbox?.model.startsWith('{')]).toEqual([2, 'sandbox', true])
  const machineId = machine?.id ?? ''
  const run = async (id: string, number: number, state: 'running' | 'done') => {
    await db.run.create({ data: { id, machineId, number, state } })
    await db.$transaction([
      insertEventLines(db, { id, machineId }, [
        ['one', 0, 'running', 'a\0b \ud800', null],
        ['two', 100, 'done', '"\\', 'an error'],
      ]),
    ])
  }
  await run('first', 1, 'done')
  await run('second', 2, 'running')
  const events = await db.runEvent.findMany({ orderBy: { id: 'asc' } })
  expect(
    events.map(({ id, runId, step, progress, status, message, error }) => [id, runId, step, progress, status, message, error]),
  ).toEqual([
    [1, 'first', 'one', 0, 'running', 'a\uFFFDb \uFFFD', null],
    [2, 'first', 'two', 100, 'done', '"\\', 'an error'],
    [3, 'second', 'one', 0, 'running', 'a\uFFFDb \uFFFD', null],
    [4, 'second', 'two', 100, 'done', '"\\', 'an error'],
  ])
  expect(await deleteEventsBefore(db, new Date(0))).toBe(0)
  expect(await deleteEventsBefore(db, new Date(Date.now() + 60_000))).toBe(2)
}

test('statements on SQLite', async () => {
  await using service = await openTestService()
  const db = openStore(`${service.dir}/data/service.db`)
  await runAll(db).finally(() => db.$disconnect())
})

test.skipIf(postgresqlMissing)('statements on PostgreSQL', async () => {
  await using place = await openPostgresql('service')
  const db = openStore(place.address)
  await runAll(db).finally(() => db.$disconnect())
})

test.skipIf(postgresqlMissing)('a service on PostgreSQL makes its tables, installs a server, and knows it after a restart', async () => {
  await using place = await openPostgresql('empty')
  const database = place.address
  const login = { provider: 'sandbox', host: 'sandbox.test', port: '22', user: 'deploy', pass: 'open' }
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-service-'))
  try {
    const first = await openTestService({ database, dir })
    const { id } = await register(first, login, 'plain')
    const { events } = await readInstall(first, id)
    expect(events.at(-1)).toMatchObject({ status: 'done' })
    await first[Symbol.asyncDispose]()
    await using second = await openTestService({ database, dir })
    expect((await get(second, '/servers/')).body).toMatchObject({ items: [{ id, name: 'plain' }] })
    expect((await readInstall(second, id, { lastEventId: 0 })).events.length).toBe(events.length)
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
})
