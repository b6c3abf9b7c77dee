/** Several portals on one PostgreSQL, as processes that are killed, stopped and cut off while they follow installs. */
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { verifyAudit } from '@/lib/portal/audit/verify'
import { db } from '@/lib/portal/base/db'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { openPortalDatabase, type PortalDatabase } from '@/tests/support/portal-database'
import { storedLines, upTo } from '@/tests/support/portal-install'
import { createTeam } from '@/tests/support/portal-team'
import { askPostgresql, postgresqlMissing } from '@/tests/support/postgresql'
import { startPortal, untilReady } from '@/tests/support/shared-portals'
import { startUpstream, type Upstream } from '@/tests/support/upstream/upstream'

const installLines = 60

/** As many servers, and a member who may install them. */
async function openScene(upstream: Upstream, count: number) {
  const team = await createTeam()
  const actor = await team.join('operator')
  await team.connect(upstream)
  const upstreamIds = upTo(count).map((number) => upstream.addServer({ name: `server ${number}` }))
  const { servers } = await listServers(actor)
  return { actor, upstreamIds, serverIds: servers.map(({ id }) => id) }
}

const allEnded = () => expect.poll(() => db().job.count({ where: { endedAt: null } }), { timeout: 180_000, interval: 250 }).toBe(0)

/** Each install that reached the service was started once, and has every line once, one intent and one outcome. */
async function expectWhole(upstream: Upstream, upstreamIds: readonly string[]): Promise<number> {
  let followed = 0
  for (const upstreamId of upstreamIds) {
    const jobs = await db().job.findMany({ where: { server: { upstreamId } } })
    const starts = upstream.installStarts(upstreamId)
    expect(jobs.length, upstreamId).toBeLessThanOrEqual(1)
    expect(starts, upstreamId).toBeLessThanOrEqual(jobs.length)
    for (const { id, state } of jobs) {
      followed += starts
      const lines = await storedLines(id)
      expect([state, lines.map(({ seq }) => seq)], upstreamId).toEqual(starts === 1 ? ['done', upTo(installLines)] : ['failed', []])
      expect(
        lines.map(({ upstreamId: number }) => number),
        upstreamId,
      ).toEqual(starts === 1 ? upTo(installLines) : [])
      const stages = () => db().auditRow.findMany({ where: { requestId: id }, select: { stage: true }, orderBy: { seq: 'asc' } })
      await expect.poll(stages, { timeout: 90_000 }).toEqual([{ stage: 'intent' }, { stage: 'outcome' }])
    }
  }
  expect(await verifyAudit()).toMatchObject({ ok: true })
  return followed
}

/** Nobody reaches the database for a while, as when it is restarted. */
async function interrupt({ settings }: PortalDatabase, ms: number): Promise<void> {
  const address = settings.portalPostgresql
  if (!address) throw new Error('The portal is not on PostgreSQL.')
  const elsewhere = { ...address, database: 'postgres' }
  await askPostgresql(elsewhere, `ALTER DATABASE "${address.database}" ALLOW_CONNECTIONS false`)
  await askPostgresql(elsewhere, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${address.database}'`)
  await delay(ms)
  await askPostgresql(elsewhere, `ALTER DATABASE "${address.database}" ALLOW_CONNECTIONS true`)
}

test.skipIf(postgresqlMissing)(
  'of five portals that are killed or end while they follow installs, another one loses and doubles no line',
  async () => {
    await using portal = await openPortalDatabase({ engine: 'postgresql' })
    await using upstream = await startUpstream({ extensions: true, installLines, msPerLine: 25 })
    const { actor, upstreamIds, serverIds } = await openScene(upstream, 5)
    const other = startPortal(portal.settings)
    await untilReady(other)
    for (const [index, serverId] of serverIds.entries()) {
      const child = startPortal(portal.settings, [serverId, actor.sessionId])
      await untilReady(child)
      const upstreamId = upstreamIds[index] ?? ''
      if (index > 0) await expect.poll(() => upstream.installStarts(upstreamId), { timeout: 30_000, interval: 20 }).toBe(1)
      await delay(index * 100)
      child.kill(index === 4 ? 'SIGTERM' : 'SIGKILL')
    }
    await allEnded()
    expect(await expectWhole(upstream, upstreamIds)).toBeGreaterThan(3)
  },
)

test.skipIf(postgresqlMissing)(
  'a portal that is stopped for 25 s and continues writes nothing to the job that another one has ended',
  async () => {
    await using portal = await openPortalDatabase({ engine: 'postgresql' })
    await using upstream = await startUpstream({ extensions: true, installLines, msPerLine: 100 })
    const { actor, upstreamIds, serverIds } = await openScene(upstream, 1)
    const other = startPortal(portal.settings)
    await untilReady(other)
    const child = startPortal(portal.settings, [serverIds[0] ?? '', actor.sessionId])
    await untilReady(child)
    await expect.poll(() => db().jobEvent.count(), { timeout: 20_000 }).toBeGreaterThan(5)
    const former = (await db().job.findFirstOrThrow()).lease
    child.kill('SIGSTOP')
    await delay(25_000)
    child.kill('SIGCONT')
    await allEnded()
    await delay(3_000)
    expect(await db().job.findFirstOrThrow()).toMatchObject({ leaseEpoch: 1, lease: expect.not.stringMatching(former) })
    expect(await expectWhole(upstream, upstreamIds)).toBe(1)
  },
)

test.skipIf(postgresqlMissing)(
  'a portal that was killed and starts again has its jobs at once, and takes none from one that is only stopped',
  async () => {
    await using portal = await openPortalDatabase({ engine: 'postgresql' })
    await using upstream = await startUpstream({ extensions: true, installLines, msPerLine: 100 })
    const { actor, upstreamIds, serverIds } = await openScene(upstream, 1)
    const killed = startPortal(portal.settings, [serverIds[0] ?? '', actor.sessionId], { folder: 'one' })
    await untilReady(killed)
    const lines = () => db().jobEvent.count()
    await expect.poll(lines, { timeout: 20_000 }).toBeGreaterThan(5)
    killed.kill('SIGKILL')
    const again = startPortal(portal.settings, [], { folder: 'one' })
    await untilReady(again)
    // Before any portal counts the killed one as dead.
    expect(await db().job.findFirstOrThrow()).toMatchObject({ leaseEpoch: 1 })
    const { lease } = await db().job.findFirstOrThrow()
    again.kill('SIGSTOP')
    const third = startPortal(portal.settings, [], { folder: 'one' })
    await untilReady(third)
    expect(await db().job.findFirstOrThrow()).toMatchObject({ leaseEpoch: 1, lease })
    again.kill('SIGCONT')
    await allEnded()
    expect(await expectWhole(upstream, upstreamIds)).toBe(1)
  },
)

test.skipIf(postgresqlMissing)('a database that is away for 3 s costs no line', async () => {
  await using portal = await openPortalDatabase({ engine: 'postgresql' })
  await using upstream = await startUpstream({ extensions: true, installLines, msPerLine: 150 })
  const { actor, upstreamIds, serverIds } = await openScene(upstream, 2)
  const portals = await Promise.all(
    serverIds.map(async (serverId) => {
      const child = startPortal(portal.settings, [serverId, actor.sessionId])
      await untilReady(child)
      return child
    }),
  )
  await expect.poll(() => db().jobEvent.count(), { timeout: 20_000 }).toBeGreaterThan(10)
  await interrupt(portal, 3_000)
  await allEnded()
  expect(await expectWhole(upstream, upstreamIds)).toBe(2)
  expect(portals.map(({ exitCode, signalCode }) => [exitCode, signalCode])).toEqual([
    [null, null],
    [null, null],
  ])
})
