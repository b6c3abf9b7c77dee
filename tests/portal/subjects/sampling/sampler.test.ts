/** The sampler checks servers without a user: which ones, through which connection, and what it stores. */
import { afterEach, expect, test, vi } from 'vitest'
import { contract } from '@/lib/contract'
import { db } from '@/lib/portal/base/db'
import { startJob } from '@/lib/portal/jobs/start'
import { beginGathering, endGathering, writeWaiting } from '@/lib/portal/subjects/samples/store'
import { type Sampler, sampleRound, startSampler } from '@/lib/portal/subjects/sampling/sampler'
import { runOperation } from '@/lib/portal/subjects/spine'
import { type History, readHistory } from '@/lib/portal/views/history/read'
import { auditRows, type Desk, listedId, openDesk } from '@/tests/portal/spine/desk'
import { forgetProcess } from '@/tests/support/reset-process'
import { startUpstream } from '@/tests/support/upstream/upstream'

afterEach(() => {
  endGathering()
  forgetProcess()
  vi.useRealTimers()
})

// Long enough that two looks are never due within one test, unless it moves the clock.
const everyMs = 3_600_000

/** Asks all at once as far as the bounds allow it. */
async function lookOnce(): Promise<void> {
  beginGathering()
  await sampleRound(1000, new AbortController().signal)
}

/** Soon enough for a session to stand, and with all of its seconds to come. */
const nextMinute = () => Math.ceil(Date.now() / 60_000) * 60_000

const summaries = (desk: Pick<Desk, 'upstream'>) => desk.upstream.calls.filter(({ path }) => path.endsWith('/summary')).length

const samples = () => db().sample.findMany({ select: { serverId: true, reachable: true, diskUsed: true, memTotal: true } })

test('a check is stored with its figures, once, and is not in the audit log', async () => {
  await using desk = await openDesk('viewer')
  const before = await auditRows()
  await lookOnce()
  expect(await samples()).toEqual([{ serverId: desk.serverId, reachable: true, diskUsed: 12884901888, memTotal: 4294967296 }])
  expect(await auditRows()).toEqual(before)
})

test('how many updates wait is stored with a check', async () => {
  await using desk = await openDesk('viewer')
  const server = desk.upstream.model.servers.get(desk.upstreamId)
  if (!server) throw new Error('The server is not there.')
  const updatesOf = async () => (await db().sample.findFirstOrThrow({ orderBy: { at: 'desc' } })).updates
  server.summary = { updates: '12' }
  await lookOnce()
  expect(await updatesOf()).toBe(12)
})

test('a service that reports sizes as text, or not at all, is checked too', async () => {
  await using desk = await openDesk('viewer')
  const server = desk.upstream.model.servers.get(desk.upstreamId)
  if (!server) throw new Error('The server is not there.')
  server.summary = { disk_space: '41%', disk_free: '59%', disk_total: '100 GB', mem_free: 'plenty', mem_total: '' }
  desk.upstream.set('bare-item')
  desk.upstream.set('nulls')
  await lookOnce()
  expect(await samples()).toEqual([{ serverId: desk.serverId, reachable: true, diskUsed: 41 * 1024 ** 3, memTotal: null }])
})

test('an unreachable server is stored as such; an unreachable service leaves nothing', async () => {
  await using desk = await openDesk('viewer', { extensions: true })
  await db().server.updateMany({ data: { state: 'ready' } })
  for (const fault of ['500-html', 'reset-before', 'html', 'error-alone'] as const) {
    desk.upstream.clear()
    desk.upstream.set(fault)
    await lookOnce()
  }
  expect(await samples()).toEqual([])
  desk.upstream.clear()
  desk.upstream.set('host-unreachable')
  await lookOnce()
  expect(await samples()).toEqual([{ serverId: desk.serverId, reachable: false, diskUsed: null, memTotal: null }])
})

test('a user’s own connection is never used automatically, but what they read with it is stored', async () => {
  await using desk = await openDesk('viewer')
  await desk.team.connect(desk.upstream, { ownerId: desk.actor.user.id })
  forgetProcess()
  await listedId(desk.actor, 'alpha')
  await db().connection.deleteMany({ where: { ownerId: null } })
  await lookOnce()
  expect(summaries(desk)).toBe(0)
  await runOperation(desk.actor, contract.servers.summary, { serverId: desk.serverId })
  await writeWaiting()
  expect(await samples()).toHaveLength(1)
})

test('a server that is not installed or gone, or whose key is refused, locked or removed, is not checked', async () => {
  await using desk = await openDesk('viewer')
  const servers = db().server
  for (const state of ['new', 'installing', 'failed']) {
    await servers.updateMany({ data: { state } })
    await lookOnce()
  }
  await servers.updateMany({ data: { state: '', goneAt: new Date() } })
  await lookOnce()
  await servers.updateMany({ data: { goneAt: null } })
  for (const state of ['rejected', 'locked'] as const) {
    await db().connection.updateMany({ data: { state } })
    await lookOnce()
  }
  await db().serverOnConnection.deleteMany()
  await lookOnce()
  expect(summaries(desk)).toBe(0)
})

test('a key that cannot be decrypted is detected without a call, once, and not used again', async () => {
  await using desk = await openDesk('viewer')
  await db().connection.updateMany({ data: { origin: `${desk.upstream.origin.replace('127.0.0.1', 'localhost')}` } })
  await lookOnce()
  await lookOnce()
  expect([summaries(desk), await samples()]).toEqual([0, []])
  expect((await auditRows()).filter((row) => row.includes('tamper'))).toEqual(['connection.open event tamper'])
})

test('back-off is respected, and an unreachable service is not asked about each of its servers', async () => {
  await using desk = await openDesk('viewer')
  for (let number = 0; number < 20; number += 1) desk.upstream.addServer({ name: `server-${number}` })
  forgetProcess()
  await listedId(desk.actor, 'server-19')
  desk.upstream.set('rate-limited')
  await lookOnce()
  expect(summaries(desk)).toBe(1)
  forgetProcess()
  desk.upstream.clear()
  desk.upstream.set('html')
  await lookOnce()
  // Those asked beside the third that fails are on their way already.
  expect(summaries(desk)).toBeLessThanOrEqual(1 + 3 + 3)
})

test('a page’s read replaces a check, is visible before it is stored, and counts once in half a round', async () => {
  await using desk = await openDesk('viewer')
  vi.useFakeTimers({ toFake: ['Date'], now: nextMinute() })
  beginGathering()
  const read = () => runOperation(desk.actor, contract.servers.summary, { serverId: desk.serverId })
  for (let seconds = 0; seconds < 120; seconds += 30) {
    await read()
    vi.setSystemTime(Date.now() + 30_000)
  }
  expect(await db().sample.count()).toBe(0)
  const history = await readHistory(desk.actor, desk.serverId, '24h')
  expect(historyOf(history).slots).toMatchObject([{ checks: 1, reachable: 1, diskUsed: 12884901888 }])
  const calls = summaries(desk)
  await sampleRound(everyMs, new AbortController().signal)
  expect([summaries(desk), await db().sample.count()]).toEqual([calls, 1])
})

function historyOf(outcome: Awaited<ReturnType<typeof readHistory>>): History {
  if (!outcome.ok) throw new Error(outcome.problem.sentence)
  return outcome.data
}

test('sampling continues round after round until it is stopped, and stops immediately', async () => {
  await using desk = await openDesk('viewer')
  const sampler: Sampler = startSampler(2000)
  try {
    await expect.poll(() => summaries(desk), { timeout: 10_000 }).toBeGreaterThan(1)
  } finally {
    await sampler.stop()
  }
  const calls = summaries(desk)
  await new Promise((resolve) => setTimeout(resolve, 2500))
  expect(summaries(desk)).toBe(calls)
  expect(await db().sample.count()).toBeGreaterThan(0)
})

test('two checks in one minute count as one, failed if either did', async () => {
  await using desk = await openDesk('viewer', { extensions: true })
  await db().server.updateMany({ data: { state: 'ready' } })
  vi.useFakeTimers({ toFake: ['Date'], now: nextMinute() })
  await lookOnce()
  desk.upstream.set('host-unreachable')
  vi.setSystemTime(Date.now() + 20_000)
  await lookOnce()
  expect(await samples()).toEqual([{ serverId: desk.serverId, reachable: false, diskUsed: 12884901888, memTotal: 4294967296 }])
})

test('for another team, and a user who may not see the server, it does not exist', async () => {
  await using desk = await openDesk('viewer')
  await using other = await startUpstream()
  await desk.team.connect(other)
  await db().connection.updateMany({ where: { origin: desk.upstream.origin }, data: { ownerId: desk.actor.user.id } })
  const stranger = await desk.team.join('owner')
  expect(await readHistory(stranger, desk.serverId, '24h')).toMatchObject({ ok: false, problem: { code: 'not_found' } })
  expect(await readHistory(desk.actor, 'x'.repeat(5000), '24h')).toMatchObject({ ok: false, problem: { code: 'not_found' } })
  expect(historyOf(await readHistory(desk.actor, desk.serverId, '30d')).slots).toEqual([])
})

test.each(['upgrade', 'applyUpdates'] as const)('after the job servers.%s the server is checked again at once', async (id) => {
  await using desk = await openDesk('operator', { extensions: true })
  await db().server.updateMany({ data: { state: 'ready' } })
  const server = desk.upstream.model.servers.get(desk.upstreamId)
  if (!server) throw new Error('The server is not there.')
  Object.assign(server, { state: 'ready', found: { outdated_sites: ['a.example'] } })
  await lookOnce()
  const findings = async () => (await db().finding.findMany({ where: { kind: 'outdated_sites' } })).map(({ detail }) => detail)
  expect(await findings()).toEqual(['a.example'])
  server.found = { outdated_sites: [] }
  expect(await startJob(desk.actor, contract.servers[id], { serverId: desk.serverId })).toMatchObject({ ok: true })
  await expect.poll(findings, { timeout: 20_000 }).toEqual([])
})
