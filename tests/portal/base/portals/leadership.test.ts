/** Two portals on one PostgreSQL, of which one leads. */
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { FenceLost } from '@/lib/database/postgresql'
import { PostgresqlSession } from '@/lib/database/postgresql-kept-session'
import { database, db } from '@/lib/portal/base/db'
import { asLeader, beatOnce, joinPortals, leavePortals } from '@/lib/portal/base/portals/join'
import { fenceOf, Leadership, sessionName } from '@/lib/portal/base/portals/leadership'
import { beat } from '@/lib/portal/base/portals/members'
import { fenced, sharedDatabase } from '@/lib/portal/base/portals/shared'
import { getSettings } from '@/lib/settings/settings'
import { openPortalDatabase, runBeside } from '@/tests/support/portal-database'
import { postgresqlMissing } from '@/tests/support/postgresql'
import { takePart } from '@/tests/support/shared-portals'

const patience = { timeout: 10_000 }

const openShared = () => openPortalDatabase({ engine: 'postgresql' })

/** A portal that says every 100 ms whether it leads, until it falls silent. */
async function startPortal(id: string) {
  const shared = sharedDatabase()
  const { portalPostgresql } = getSettings()
  if (!shared || !portalPostgresql) throw new Error('The portal is not on PostgreSQL.')
  await beat(shared, id)
  const leadership = new Leadership(id)
  const session = new PostgresqlSession(portalPostgresql, {
    name: sessionName(id),
    channel: 'gatehouse',
    opened: () => {},
    notified: () => {},
    closed: () => leadership.end(),
  })
  const timer = setInterval(() => void leadership.pursue(session).catch(() => {}), 100)
  const stop = async () => {
    clearInterval(timer)
    await session.close()
  }
  onTestFinished(stop)
  return { id, leadership, stop, silence: () => clearInterval(timer) }
}

function createGate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open: () => open(), opened }
}

const leads = ({ leadership }: Awaited<ReturnType<typeof startPortal>>) => leadership.current() !== null

test.skipIf(postgresqlMissing)('one of two portals leads, and the other one follows it within seconds', async () => {
  await using _ = await openShared()
  const one = await startPortal('one')
  await expect.poll(() => leads(one), patience).toBe(true)
  const two = await startPortal('two')
  await delay(500)
  expect([leads(one), leads(two)]).toEqual([true, false])
  await one.stop()
  await expect.poll(() => leads(two), { timeout: 3_000 }).toBe(true)
  expect(leads(one)).toBe(false)
  expect(await db().leader.findMany()).toEqual([{ id: 'leader', holder: 'two', epoch: 2 }])
})

test.skipIf(postgresqlMissing)('a leader whose connection is cut leads no longer', async () => {
  await using portal = await openShared()
  const one = await startPortal('one')
  await expect.poll(() => leads(one), patience).toBe(true)
  const lost = one.leadership.current()?.lost
  await runBeside(portal, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'gatehouse one'`)
  await expect.poll(() => lost?.aborted, patience).toBe(true)
  await expect.poll(() => one.leadership.current()?.epoch, patience).toBe(2)
})

test.skipIf(postgresqlMissing)('a leader that was stopped is replaced, and writes nothing more once it continues', async () => {
  await using portal = await openShared()
  const one = await startPortal('one')
  await expect.poll(() => leads(one), patience).toBe(true)
  const term = one.leadership.current()
  if (!term) throw new Error('It does not lead.')
  // As a process that was stopped: it has its session, and says nothing.
  one.silence()
  await runBeside(portal, `UPDATE "PortalProcess" SET "heardAt" = "heardAt" - interval '1 minute' WHERE "id" = 'one'`)
  const two = await startPortal('two')
  await expect.poll(() => leads(two), patience).toBe(true)
  const addTeam = (id: string) => db().team.create({ data: { id, name: id } })
  const inTransaction = () => db().$transaction(async (tx) => void (await tx.team.create({ data: { id: 'tx', name: '' } })))
  await expect(fenced(fenceOf(term), () => addTeam('late'))).rejects.toThrow(FenceLost)
  await expect(fenced(fenceOf(term), inTransaction)).rejects.toThrow(FenceLost)
  const now = two.leadership.current()
  if (!now) throw new Error('It does not lead.')
  await fenced(fenceOf(now), () => addTeam('two'))
  await addTeam('unfenced')
  expect((await db().team.findMany({ orderBy: { id: 'asc' } })).map(({ id }) => id)).toEqual(['two', 'unfenced'])
  expect(database().engine).toBe('postgresql')
})

test.skipIf(postgresqlMissing)('what an earlier leader is writing is there before the next one begins', async () => {
  await using portal = await openShared()
  const one = await startPortal('one')
  await expect.poll(() => leads(one), patience).toBe(true)
  const term = one.leadership.current()
  if (!term) throw new Error('It does not lead.')
  const [written, goOn] = [createGate(), createGate()]
  const writing = fenced(fenceOf(term), () =>
    db().$transaction(async (tx) => {
      await tx.team.create({ data: { id: 'team', name: '' } })
      written.open()
      await goOn.opened
    }),
  )
  await written.opened
  one.silence()
  await runBeside(portal, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'gatehouse one'`)
  const two = await startPortal('two')
  await delay(700)
  expect(leads(two)).toBe(false)
  goOn.open()
  await writing
  await expect.poll(() => leads(two), patience).toBe(true)
  expect(await db().team.count()).toBe(1)
})

test.skipIf(postgresqlMissing)('regular work waits for the lead, and ends with it', async () => {
  await using portal = await openShared()
  let rounds = 0
  const work = async () => {
    rounds += 1
    await db().team.create({ data: { id: `team-${rounds}`, name: '' } })
  }
  await asLeader(work)
  expect(rounds).toBe(0)
  await using _joined = await takePart()
  await expect.poll(() => asLeader(work).then(() => rounds), patience).toBe(1)
  const late = asLeader(async (lost) => {
    const over = new Promise((resolve) => lost.addEventListener('abort', resolve))
    // Another portal has become the leader.
    await runBeside(portal, `UPDATE "Leader" SET "epoch" = "epoch" + 1`)
    await leavePortals()
    await over
    await work()
  })
  await expect(late).rejects.toThrow(FenceLost)
  expect(await db().team.count()).toBe(1)
  expect(await db().portalProcess.count()).toBe(0)
})

test('on SQLite the one portal always leads', async () => {
  await using _ = await openPortalDatabase({ engine: 'sqlite' })
  await joinPortals()
  let rounds = 0
  await asLeader(async () => {
    rounds += 1
  })
  expect([rounds, await db().portalProcess.count(), await db().leader.count()]).toEqual([1, 0, 0])
})

test.skipIf(postgresqlMissing)('a session that cannot open says so once, and opens as soon as it can', async () => {
  await using portal = await openShared()
  const { portalPostgresql } = portal.settings
  if (!portalPostgresql) throw new Error('The portal is not on PostgreSQL.')
  const address = { ...portalPostgresql, user: 'nobody-yet' }
  let [failures, opened] = [0, false]
  const session = new PostgresqlSession(address, {
    name: 'test',
    channel: 'gatehouse',
    opened: () => {
      opened = true
    },
    notified: () => {},
    closed: () => {},
    failed: () => {
      failures += 1
    },
  })
  await delay(2_000)
  expect([failures, opened]).toEqual([1, false])
  address.user = portalPostgresql.user
  await expect.poll(() => opened, patience).toBe(true)
  await session.close()
})

test.skipIf(postgresqlMissing)('a fence that cannot be read keeps nobody from writing afterwards', async () => {
  await using _ = await openShared()
  const unreadable = { sql: 'SELECT 1 FROM "NoSuchTable"', values: [] }
  await expect(fenced(unreadable, () => db().leader.deleteMany({}))).rejects.toThrow('NoSuchTable')
  expect(await db().leader.deleteMany({})).toEqual({ count: 0 })
})

test.skipIf(postgresqlMissing)('a portal that has left does not say once more that it is alive', async () => {
  await using _ = await openShared()
  await joinPortals()
  expect(await db().portalProcess.count()).toBe(1)
  await leavePortals()
  await beatOnce()
  expect(await db().portalProcess.count()).toBe(0)
})
