/** The portal's client on PostgreSQL keeps the promises of the one on SQLite. */
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { expect, test } from 'vitest'
import { connectionOptions, Postgresql } from '@/lib/database/postgresql'
import { createPostgresqlAdapter } from '@/lib/database/postgresql-adapter'
import { transactionOptions } from '@/lib/database/prisma-adapter'
import type { PrismaClient } from '@/prisma/generated/portal/client'
import { getPrismaClientClass } from '@/prisma/generated/portal/internal/class-postgresql'
import { openPostgresql, postgresqlMissing, type TestPostgresql } from '../support/postgresql'

type Opened = AsyncDisposable & { db: PrismaClient; database: Postgresql }

function connect({ address }: TestPostgresql): Opened {
  const database = new Postgresql(address)
  const Client = getPrismaClientClass()
  const db = new Client({ adapter: createPostgresqlAdapter(database), transactionOptions }) as unknown as PrismaClient
  return { db, database, [Symbol.asyncDispose]: () => database.close() }
}

const team = (id: string, name = 'Reiher') => ({ data: { id, name } })
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: { code?: string }) => error.code,
  )

const onPostgresql = test.skipIf(postgresqlMissing)

onPostgresql('values come back as they were stored; a NUL and half a character as on SQLite', async () => {
  await using place = await openPostgresql('portal')
  await using opened = connect(place)
  const { db } = opened
  const createdAt = new Date('2026-11-27T12:34:56.789Z')
  await db.team.create({
    data: { id: 't', name: 'Reíher\0 \ud800x 🦉', createdAt, requiresSecondFactor: true, idleMinutes: -2_147_483_648 },
  })
  expect(await db.team.findUniqueOrThrow({ where: { id: 't' } })).toMatchObject({
    name: 'Reíher\uFFFD \uFFFDx 🦉',
    createdAt,
    requiresSecondFactor: true,
    requiresSingleSignOn: false,
    idleMinutes: -2_147_483_648,
  })
  expect(await db.team.count({ where: { name: 'Reíher' } })).toBe(0)
  await db.user.create({ data: { id: 'u', email: 'u@example.org', name: 'U', theme: 'dark' } })
  const sealed = Buffer.from([0, 1, 255])
  await db.totp.create({ data: { userId: 'u', sealed, kekId: 'k', secretVersion: 1 } })
  const stored = await db.totp.findUniqueOrThrow({ where: { userId: 'u' }, include: { user: true } })
  expect([Buffer.from(stored.sealed).equals(sealed), stored.user.theme, stored.confirmedAt]).toEqual([true, 'dark', null])
})

onPostgresql('conflicts have the codes that callers expect', async () => {
  await using place = await openPostgresql('portal')
  await using opened = connect(place)
  const { db } = opened
  await db.team.create(team('one'))
  expect(await codeOf(db.team.create(team('one')))).toBe('P2002')
  expect(await codeOf(db.membership.create({ data: { teamId: 'one', userId: 'nobody', role: 'guest' } }))).toBe('P2003')
  expect(await codeOf(db.team.update({ where: { id: 'none' }, data: { name: 'x' } }))).toBe('P2025')
})

onPostgresql('a transaction is all or nothing, and its client is usable afterwards', async () => {
  await using place = await openPostgresql('portal')
  await using opened = connect(place)
  const { db } = opened
  const failing = db.$transaction(async (tx) => {
    await tx.team.create(team('one'))
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect(await codeOf(db.$transaction([db.team.create(team('two')), db.team.create(team('two'))]))).toBe('P2002')
  expect(await db.team.count()).toBe(0)
  await db.$transaction([db.team.create(team('three')), db.team.create(team('four'))])
  expect(await db.team.count()).toBe(2)
})

onPostgresql('what two processes read and then write is never lost: transactions and single writes take turns', async () => {
  await using place = await openPostgresql('portal')
  await using one = connect(place)
  await using other = connect(place)
  await one.db.team.create({ data: { id: 't', name: 'T', idleMinutes: 0 } })
  const add = ({ db }: Opened) =>
    db.$transaction(async (tx) => {
      const { idleMinutes } = await tx.team.findUniqueOrThrow({ where: { id: 't' } })
      await tx.team.update({ where: { id: 't' }, data: { idleMinutes: idleMinutes + 1 } })
    })
  const addAtOnce = async ({ db }: Opened) => {
    await db.team.update({ where: { id: 't' }, data: { idleMinutes: { increment: 1 } } })
  }
  const work = Array.from({ length: 4 }, (_, number) => [one, other].map(number % 2 === 0 ? add : addAtOnce))
  await Promise.all(work.flat())
  expect((await one.db.team.findUniqueOrThrow({ where: { id: 't' } })).idleMinutes).toBe(8)
})

onPostgresql(
  'a write waits 5 s for another process, then fails with P1008; reads do not wait',
  async () => {
    await using place = await openPostgresql('portal')
    await using one = connect(place)
    await using other = connect(place)
    let finish: (() => void) | undefined
    const long = other.db.$transaction(async (tx) => {
      await tx.team.create(team('long'))
      let isOver = false
      finish = () => {
        isOver = true
      }
      // A process that is not silent.
      while (!isOver) await Promise.all([tx.team.count(), delay(200)])
    })
    await expect.poll(() => finish).toBeDefined()
    const since = performance.now()
    const waiting = [codeOf(one.db.team.create(team('late'))), codeOf(one.db.$transaction((tx) => tx.team.create(team('later'))))]
    expect(await one.db.team.count()).toBe(0)
    expect(performance.now() - since).toBeLessThan(2_000)
    expect(await Promise.all(waiting)).toEqual(['P1008', 'P1008'])
    finish?.()
    await long
    await one.db.team.create(team('afterwards'))
    expect(await one.db.team.count()).toBe(2)
  },
  60_000,
)

onPostgresql('the version of the data is another after each commit, also of another process, and the same without one', async () => {
  await using place = await openPostgresql('portal')
  await using one = connect(place)
  await using other = connect(place)
  const turn = () => new Promise((resolve) => setTimeout(resolve, 5))
  let first = ''
  // Commits in other databases of the server count as well, and other tests make some.
  const isStill = async () => {
    first = await one.database.dataVersion()
    await turn()
    return first === (await one.database.dataVersion())
  }
  await expect.poll(isStill, { timeout: 20_000, interval: 10 }).toBe(true)
  await one.db.team.create(team('one'))
  const second = await one.database.dataVersion()
  expect(second).not.toBe(first)
  await other.db.team.create(team('two'))
  await turn()
  expect(await one.database.dataVersion()).not.toBe(second)
})

onPostgresql('connections that the server ends are replaced', async () => {
  await using place = await openPostgresql('portal')
  await using opened = connect(place)
  await opened.db.team.create(team('one'))
  const admin = new pg.Client(connectionOptions(place.address))
  await admin.connect()
  await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()')
  await admin.end()
  await expect.poll(() => opened.db.team.count().catch(() => null)).toBe(1)
  await opened.db.team.create(team('two'))
  expect(await opened.db.team.count()).toBe(2)
})

onPostgresql('a transaction that continues after a failed statement is not taken for committed', async () => {
  await using place = await openPostgresql('portal')
  await using opened = connect(place)
  const { db } = opened
  await db.team.create(team('one'))
  const swallowed = db.$transaction(async (tx) => {
    await tx.team.create(team('two'))
    await tx.team.create(team('one')).catch(() => {})
    return 'done'
  })
  await expect(swallowed).rejects.toThrow()
  expect(await db.team.count()).toBe(1)
  await db.team.create(team('three'))
  expect(await db.team.count()).toBe(2)
})

onPostgresql(
  'a process that stops in the middle of a transaction keeps the writers of others for a moment only, and its transaction is undone',
  async () => {
    await using place = await openPostgresql('portal')
    await using stopped = connect(place)
    await using other = connect(place)
    let began = () => {}
    const isOpen = new Promise<void>((resolve) => {
      began = resolve
    })
    const stops = async (tx: Pick<PrismaClient, 'team'>) => {
      await tx.team.create(team('stopped'))
      began()
      await delay(8_000)
    }
    const work = stopped.db.$transaction(stops, { timeout: 60_000 }).catch((error: unknown) => error)
    await isOpen
    await other.db.team.create(team('other'))
    expect(await other.db.team.findMany({ select: { id: true } })).toEqual([{ id: 'other' }])
    expect(await work).toBeInstanceOf(Error)
    await stopped.db.team.create(team('again'))
    expect(await other.db.team.count()).toBe(2)
  },
)

onPostgresql('a connection that the database ends while somebody holds it fails the next statement, and not the process', async () => {
  await using place = await openPostgresql('portal')
  await using opened = connect(place)
  const { pool } = opened.database
  const held = await pool.connect()
  const { rows } = await held.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  const ended = new Promise((resolve) => held.once('end', resolve))
  await pool.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid])
  await ended
  await expect(held.query('SELECT 1')).rejects.toThrow()
  held.release(true)
  expect(await opened.db.team.count()).toBe(0)
})
