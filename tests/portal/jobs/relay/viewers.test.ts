import { expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import type { Person as Actor } from '@/lib/portal/identity/actor'
import { isWatched } from '@/lib/portal/jobs/relay/bus'
import { watchJob } from '@/lib/portal/jobs/relay/watch-job'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { prepareInstall, stateOf, storedLines, upTo } from '@/tests/support/portal-install'
import { createTeam } from '@/tests/support/portal-team'
import { readSse } from '@/tests/support/sse-reader'
import { startUpstream } from '@/tests/support/upstream/upstream'

const patience = { timeout: 20_000 }
const quick = { heartbeatMs: 50, recheckMs: 50, patienceMs: 200 }

const watch = async (actor: Actor, jobId: string, given?: string, timing = quick, init: RequestInit = {}) => {
  const headers = given === undefined ? {} : { 'last-event-id': given }
  return watchJob(actor, jobId, new Request(`http://localhost/api/jobs/${jobId}/events`, { headers, ...init }), timing)
}

test('security 48: however many viewers there are, there is exactly one upstream stream, and all see every line once', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream({ extensions: true, installLines: 60, msPerLine: 100 })
  const { install, team, path, upstreamId } = await prepareInstall(upstream)
  const jobId = await install()
  await expect.poll(() => upstream.openStreams, patience).toBe(1)
  const mates = await Promise.all(upTo(6).map(() => team.join('viewer')))
  const usual = { heartbeatMs: 15_000, recheckMs: 4_000, patienceMs: 30_000 }
  const watching = mates.flatMap((mate) => upTo(20).map(async () => readSse(await watch(mate, jobId, undefined, usual))))
  const viewers = await Promise.all(watching)
  expect(upstream.openStreams).toBe(1)
  await Promise.all(viewers.map(({ done }) => done))
  for (const viewer of viewers) {
    expect(viewer.seqs()).toEqual(upTo(60))
    expect(JSON.parse(viewer.events.at(-1)?.data ?? '')).toMatchObject({ state: 'done', eventCount: 60 })
  }
  expect(upstream.callsTo('GET', path)).toHaveLength(1)
  expect(upstream.installStarts(upstreamId)).toBe(1)
  expect(isWatched(jobId)).toBe(false)
})

test('the stream of a replaced job ends, with all its lines and its end', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream({ extensions: true, installLines: 40, msPerLine: 50 })
  const { install, actor } = await prepareInstall(upstream)
  const first = await install()
  await expect.poll(async () => (await storedLines(first)).length, patience).toBeGreaterThan(2)
  const viewer = readSse(await watch(actor, first))
  await db().job.update({ where: { id: first }, data: { state: 'interrupted' } })
  const second = await install()
  await viewer.done
  expect(JSON.parse(viewer.events.at(-1)?.data ?? '')).toMatchObject({ state: 'interrupted', endedAt: expect.any(String) })
  expect(viewer.seqs()).toEqual((await storedLines(first)).map(({ seq }) => seq))
  await expect.poll(() => stateOf(second), patience).toBe('done')
})

test('security 48: a user may have 24 open streams; another one is refused with a sentence until one is closed', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream({ extensions: true, msPerLine: 1_000_000 })
  const { install, actor, team } = await prepareInstall(upstream)
  const jobId = await install()
  const open = await Promise.all(upTo(24).map(() => watch(actor, jobId)))
  const refused = await watch(actor, jobId)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5'])
  expect(await refused.json()).toMatchObject({ problem: { code: 'too_many', sentence: expect.stringContaining('Too many windows') } })
  const mate = await watch(await team.join('viewer'), jobId)
  expect(mate.status).toBe(200)
  await open[0]?.body?.cancel()
  const next = await watch(actor, jobId)
  expect(next.status).toBe(200)
  await Promise.all([...open.slice(1), mate, next].map((response) => response.body?.cancel()))
  expect(isWatched(jobId)).toBe(false)
})

test('no proxy may buffer or change the answer', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream({ extensions: true })
  const { install, actor } = await prepareInstall(upstream)
  const { headers } = await watch(actor, await install())
  expect(headers.get('content-type')).toContain('text/event-stream')
  expect(headers.get('cache-control')).toMatch(/no-cache.*no-transform/)
  expect(headers.get('x-accel-buffering')).toBe('no')
})

const resumePoints = [
  { given: undefined, seqs: upTo(10), reset: false },
  { given: '', seqs: upTo(10), reset: false },
  { given: '0', seqs: upTo(10), reset: false },
  { given: '4', seqs: [5, 6, 7, 8, 9, 10], reset: false },
  { given: '10', seqs: [], reset: false },
  { given: '11', seqs: upTo(10), reset: true },
  { given: '99999999999999999999', seqs: upTo(10), reset: true },
  { given: '-1', seqs: upTo(10), reset: true },
  { given: '1.5', seqs: upTo(10), reset: true },
  { given: 'four', seqs: upTo(10), reset: true },
  { given: "4' OR 1=1", seqs: upTo(10), reset: true },
]

test('security 47: Last-Event-ID yields exactly the rest, or a reset and everything; in the address too', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream({ extensions: true, installLines: 10 })
  const { install, actor } = await prepareInstall(upstream)
  const jobId = await install()
  await expect.poll(() => stateOf(jobId), patience).toBe('done')
  for (const { given, seqs, reset } of resumePoints) {
    const byHeader = readSse(await watch(actor, jobId, given))
    const url = `http://localhost/api/jobs/${jobId}/events${given === undefined ? '' : `?after=${encodeURIComponent(given)}`}`
    const byAddress = readSse(await watchJob(actor, jobId, new Request(url), quick))
    for (const viewer of [byHeader, byAddress]) {
      await viewer.done
      expect(viewer.seqs(), `after ${given}`).toEqual(seqs)
      expect(
        viewer.events.some(({ event }) => event === 'reset'),
        `after ${given}`,
      ).toBe(reset)
      expect(viewer.events.at(-1)?.event).toBe('state')
    }
  }
})

test('security 47: a job of another team, an unknown one and nonsense are the same 404', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream({ extensions: true })
  const { install } = await prepareInstall(upstream)
  const jobId = await install()
  const stranger = await (await createTeam()).join('owner')
  const bodies = []
  for (const id of [jobId, 'AAAAAAAAAAAAAAAAAAAAAA', '../../x']) {
    const response = await watch(stranger, id)
    expect(response.status).toBe(404)
    bodies.push(await response.text())
  }
  expect(new Set(bodies).size).toBe(1)
  expect(await db().auditRow.count({ where: { outcome: 'denied', objectId: jobId } })).toBe(1)
})

test('a viewer that joins in the middle misses nothing that follows', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream({ extensions: true, installLines: 80, msPerLine: 8 })
  const { install, actor } = await prepareInstall(upstream)
  const jobId = await install()
  const viewers = []
  for (const after of [1, 5, 10, 20, 30]) {
    await expect.poll(async () => (await storedLines(jobId)).length, patience).toBeGreaterThanOrEqual(after)
    viewers.push({ after, reader: readSse(await watch(actor, jobId, String(after))) })
  }
  for (const { after, reader } of viewers) {
    await reader.done
    expect(reader.seqs()).toEqual(upTo(80).slice(after))
  }
})

test.each([
  {
    what: 'the session is revoked',
    end: (actor: Actor) => db().session.updateMany({ where: { id: actor.sessionId }, data: { revokedAt: new Date() } }),
  },
  {
    what: 'the person is disabled',
    end: (actor: Actor) => db().user.updateMany({ where: { id: actor.user.id }, data: { disabledAt: new Date() } }),
  },
  { what: 'the person leaves the team', end: (actor: Actor) => db().membership.deleteMany({ where: { userId: actor.user.id } }) },
  {
    what: 'the grant of the person ends',
    end: (actor: Actor) => db().grant.updateMany({ where: { userId: actor.user.id }, data: { until: new Date() } }),
  },
])('security 16: an open stream ends within 5 s when $what', async ({ end }) => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream({ extensions: true, msPerLine: 1_000_000 })
  const { install, actor } = await prepareInstall(upstream)
  const jobId = await install()
  const usual = undefined
  const response = await watchJob(actor, jobId, new Request('http://localhost/'), usual)
  const viewer = readSse(response)
  await expect.poll(() => viewer.events.length, patience).toBeGreaterThan(0)
  await end(actor)
  await expect.poll(() => viewer.closed, { timeout: 5_000 }).toBe(true)
  expect(isWatched(jobId)).toBe(false)
})

test('disconnecting ends the viewer, by abort or by cancel, and stops nothing else', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream({ extensions: true, installLines: 40, msPerLine: 10 })
  const { install, actor } = await prepareInstall(upstream)
  const jobId = await install()
  const abort = new AbortController()
  const aborted = readSse(await watch(actor, jobId, undefined, quick, { signal: abort.signal }))
  const cancelled = readSse(await watch(actor, jobId))
  await expect.poll(() => aborted.events.length + cancelled.events.length, patience).toBeGreaterThan(2)
  abort.abort()
  abort.abort()
  await cancelled.leave()
  await expect.poll(() => isWatched(jobId), patience).toBe(false)
  await expect.poll(() => stateOf(jobId), patience).toBe('done')
  expect(await storedLines(jobId)).toHaveLength(40)
})

test('security 44: a quiet stream sends heartbeats, and the state when it has changed', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream({ extensions: true, msPerLine: 1_000_000 })
  const { install, actor } = await prepareInstall(upstream)
  const jobId = await install()
  const viewer = readSse(await watch(actor, jobId))
  await expect.poll(() => viewer.comments, patience).toBeGreaterThan(3)
  await db().job.update({ where: { id: jobId }, data: { state: 'interrupted' } })
  await expect.poll(() => JSON.parse(viewer.events.at(-1)?.data ?? '{}').state, patience).toBe('interrupted')
  expect(viewer.closed).toBe(false)
  await viewer.leave()
})

test('security 45: a viewer that stops reading is disconnected with a reset, and nobody waits for it', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream({ extensions: true, installLines: 20 })
  const { install, actor } = await prepareInstall(upstream)
  const jobId = await install()
  await expect.poll(() => stateOf(jobId), patience).toBe('done')
  const rows = upTo(3000).map((index) => ({ jobId, seq: 20 + index, at: new Date(), step: '', status: '', message: 'x'.repeat(1000) }))
  await db().jobEvent.createMany({ data: rows })
  await db().job.update({ where: { id: jobId }, data: { eventCount: 3020 } })
  const response = await watch(actor, jobId)
  await expect.poll(() => isWatched(jobId), patience).toBe(false)
  const viewer = readSse(response)
  await viewer.done
  expect(viewer.events.at(-1)?.event).toBe('reset')
  expect(viewer.seqs().length).toBeLessThan(3020)
})
