import { expect, test } from 'vitest'
import { contract } from '@/lib/contract'
import { db } from '@/lib/portal/base/db'
import { resumeJobs } from '@/lib/portal/jobs/relay/resume'
import { startJob } from '@/lib/portal/jobs/start'
import { findJob } from '@/lib/portal/jobs/view'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { prepareInstall, stateOf, storedLines, upTo } from '@/tests/support/portal-install'
import { forgetProcess } from '@/tests/support/reset-process'
import { startUpstream } from '@/tests/support/upstream/upstream'

const patience = { timeout: 20_000 }

test('an install is followed to its end: every line is a row, numbered without gaps, intent and outcome logged', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream({ extensions: true, installLines: 40 })
  const { install, actor, path } = await prepareInstall(upstream)
  const jobId = await install()
  await expect.poll(() => stateOf(jobId), patience).toBe('done')
  const lines = await storedLines(jobId)
  expect(lines.map(({ seq }) => seq)).toEqual(upTo(40))
  expect(lines[6]?.message).toBe('Line 7 of 40: größer — ✓')
  expect(await findJob(actor, jobId)).toMatchObject({ state: 'done', progress: 100, step: 'firewall', eventCount: 40, problem: null })
  expect(upstream.callsTo('GET', path)).toHaveLength(1)
  await expect
    .poll(async () => (await db().auditRow.findMany({ where: { requestId: jobId } })).map(({ outcome }) => outcome), patience)
    .toEqual(['asked', 'done'])
})

test('a failed install says what failed', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream({ extensions: true, installFails: true })
  const { install, actor } = await prepareInstall(upstream)
  const jobId = await install()
  await expect.poll(() => stateOf(jobId), patience).toBe('failed')
  expect(await findJob(actor, jobId)).toMatchObject({ problem: { code: 'upstream_failed', sentence: 'The step failed.' } })
})

test('starting an install that is running returns the running job, and sends nothing', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream({ msPerLine: 30 })
  const { install, team, serverId, path } = await prepareInstall(upstream)
  const mate = await team.join('admin')
  const ids = await Promise.all([install(), install(), startJob(mate, contract.servers.install, { serverId }), install()])
  expect(new Set(ids.map((id) => (typeof id === 'string' ? id : id.ok && id.data.jobId))).size).toBe(1)
  expect(await db().job.count()).toBe(1)
  await expect.poll(() => upstream.callsTo('GET', path).length, patience).toBe(1)
})

test('security 39: a cut stream is resumed if the service can, without a gap, a repetition or a second start', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream({ extensions: true, installLines: 30, msPerLine: 10 })
  const { install, upstreamId, path } = await prepareInstall(upstream)
  upstream.set('cut-in-line', { path, times: 1 })
  const jobId = await install()
  await expect.poll(() => stateOf(jobId), patience).toBe('done')
  expect((await storedLines(jobId)).map(({ upstreamId: id }) => id)).toEqual(upTo(30))
  expect(upstream.installStarts(upstreamId)).toBe(1)
  expect(upstream.callsTo('GET', path).map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '15'])
})

test('security 39: an install whose answer never came is not sent again; if the service can resume, a read settles it', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream({ extensions: true })
  const { install, upstreamId, path } = await prepareInstall(upstream)
  upstream.set('reset-after', { path, times: 1 })
  const jobId = await install()
  await expect.poll(() => stateOf(jobId), patience).toBe('done')
  expect(upstream.installStarts(upstreamId)).toBe(1)
  expect(upstream.callsTo('GET', path)[1]?.headers['last-event-id']).toBe('0')
})

test('security 39: with a service that cannot resume it stays unknown, sent exactly once', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream()
  const { install, upstreamId, path } = await prepareInstall(upstream)
  upstream.set('reset-after', { path })
  const jobId = await install()
  await expect.poll(() => stateOf(jobId), patience).toBe('unknown')
  expect(upstream.installStarts(upstreamId)).toBe(1)
  expect(upstream.callsTo('GET', path)).toHaveLength(1)
  await expect
    .poll(async () => (await db().auditRow.findMany({ where: { requestId: jobId } })).map(({ outcome }) => outcome), patience)
    .toEqual(['asked', 'unknown'])
})

test('security 44: a foreign service cut in the middle of an event leaves the part as it came, interrupted, never done', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream({ installLines: 10 })
  const { install, path } = await prepareInstall(upstream)
  upstream.set('cut-in-line', { path })
  const jobId = await install()
  await expect.poll(() => stateOf(jobId), patience).toBe('interrupted')
  const lines = await storedLines(jobId)
  expect(lines.length).toBeGreaterThanOrEqual(5)
  expect(lines[4]?.message).toContain('Line 5 of 10')
  expect(upstream.callsTo('GET', path)).toHaveLength(1)
})

test('a foreign service that never reports a state is done when its stream is complete', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream()
  const { install } = await prepareInstall(upstream)
  upstream.set('no-blank-lines')
  const jobId = await install()
  await expect.poll(() => stateOf(jobId), patience).toBe('done')
  expect(await storedLines(jobId)).toHaveLength(10)
})

test('a start that never reached the service has failed, and can be tried again', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream({ extensions: true })
  const { install, upstreamId } = await prepareInstall(upstream)
  upstream.set('unauthorized', { times: 1 })
  const jobId = await install()
  await expect.poll(() => stateOf(jobId), patience).toBe('failed')
  await db().connection.updateMany({ data: { state: 'working' } })
  const again = await install()
  await expect.poll(() => stateOf(again), patience).toBe('done')
  expect(upstream.installStarts(upstreamId)).toBe(1)
})

test('a second install of a server is distinguished from the first by its own lines', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream({ extensions: true })
  const { install } = await prepareInstall(upstream)
  const first = await install()
  await expect.poll(() => stateOf(first), patience).toBe('done')
  const second = await install()
  await expect.poll(() => stateOf(second), patience).toBe('done')
  expect((await storedLines(second)).map(({ seq, upstreamId }) => [seq, upstreamId])).toEqual(upTo(10).map((seq) => [seq, seq + 10]))
})

test('a relay whose lease was taken over writes nothing more', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream({ extensions: true, msPerLine: 40, installLines: 40 })
  const { install } = await prepareInstall(upstream)
  const jobId = await install()
  await expect.poll(async () => (await storedLines(jobId)).length, patience).toBeGreaterThan(3)
  await db().job.update({ where: { id: jobId }, data: { lease: 'of another process' } })
  const count = (await storedLines(jobId)).length
  await expect.poll(() => upstream.openStreams, patience).toBe(0)
  expect(await storedLines(jobId)).toHaveLength(count)
})

test('security 46: after a restart a job of a service that cannot resume is interrupted and never started again', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream({ msPerLine: 1_000_000 })
  const { install, path } = await prepareInstall(upstream)
  const jobId = await install()
  await expect.poll(() => upstream.callsTo('GET', path).length, patience).toBe(1)
  forgetProcess()
  expect(await resumeJobs()).toBe(0)
  expect(await db().job.findUnique({ where: { id: jobId } })).toMatchObject({ state: 'interrupted', problemCode: 'outcome_unknown' })
  expect(upstream.callsTo('GET', path)).toHaveLength(1)
})

test.each([false, true])(
  'after a restart a job whose last line is stored ends as that says; the service has no more (failed: %s)',
  async (installFails) => {
    await using _ = await openPortalDatabase()
    await using upstream = await startUpstream({ extensions: true, installFails })
    const { install, path } = await prepareInstall(upstream)
    const jobId = await install()
    await expect.poll(() => stateOf(jobId), patience).toBe(installFails ? 'failed' : 'done')
    const lines = await storedLines(jobId)
    const jobEnd = { state: 'running', endedAt: null, problemCode: null, problemSentence: null } as const
    await db().job.update({ where: { id: jobId }, data: jobEnd })
    forgetProcess()
    expect(await resumeJobs()).toBe(1)
    await expect.poll(() => stateOf(jobId), patience).toBe(installFails ? 'failed' : 'done')
    expect(await storedLines(jobId)).toEqual(lines)
    expect(upstream.callsTo('GET', path)).toHaveLength(2)
  },
)

test.each([
  ['arrives meanwhile', 2_000, 0, 'done', 1],
  ['never arrives, so it is sent once more', 200, 0, 'done', 1],
  ['never arrives, and it was asked for too long ago', 200, 301_000, 'failed', 0],
] as const)(
  'after a restart an install that the service does not know yet is asked about again, and its request %s',
  async (_case, arriveMs, agoMs, end, starts) => {
    await using _ = await openPortalDatabase()
    await using upstream = await startUpstream({ extensions: true })
    const { install, path, upstreamId } = await prepareInstall(upstream)
    upstream.set('hang', { path, times: 1 })
    const jobId = await install()
    await expect.poll(() => upstream.callsTo('GET', path).length, patience).toBe(1)
    await db().job.update({ where: { id: jobId }, data: { startedAt: new Date(Date.now() - agoMs) } })
    forgetProcess()
    expect(await resumeJobs({ firstRetryMs: 50, lastRetryMs: 50, awayMs: 60_000, giveUpMs: 60_000, arriveMs })).toBe(1)
    await expect.poll(() => upstream.callsTo('GET', path).length, patience).toBeGreaterThan(2)
    if (arriveMs > 200) await fetch(`${upstream.origin}${path}`, { headers: { authorization: `Bearer ${upstream.key}` } })
    await expect.poll(() => stateOf(jobId), patience).toBe(end)
    expect(upstream.installStarts(upstreamId)).toBe(starts)
  },
)

test('starting again takes the job of an unreachable service from its relay: one upstream stream, no second start', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream({ extensions: true, msPerLine: 50, installLines: 40 })
  const { install, upstreamId } = await prepareInstall(upstream)
  const first = await install()
  await expect.poll(async () => (await storedLines(first)).length, patience).toBeGreaterThan(2)
  await db().job.update({ where: { id: first }, data: { state: 'interrupted' } })
  const second = await install()
  expect(second).not.toBe(first)
  await expect.poll(() => stateOf(second), patience).toBe('done')
  expect(await db().job.findUnique({ where: { id: first } })).toMatchObject({ state: 'interrupted', lease: '' })
  expect((await storedLines(second)).map(({ upstreamId: id }) => id)).toEqual(upTo(40))
  expect([upstream.installStarts(upstreamId), upstream.openStreams]).toEqual([1, 0])
})
