/** A service that says nothing for long is silent, no more; what ends a job is a closed line, a restart or the limit. */
import { expect, test } from 'vitest'
import { contract } from '@/lib/contract'
import { db } from '@/lib/portal/base/db'
import { resumeJobs } from '@/lib/portal/jobs/relay/resume'
import { startJob } from '@/lib/portal/jobs/start'
import { findJob } from '@/lib/portal/jobs/view'
import { findServer } from '@/lib/portal/subjects/servers/find'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { readCounts } from '@/lib/portal/views/home/counts'
import { getSettings } from '@/lib/settings/settings'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { prepareInstall, stateOf, storedLines } from '@/tests/support/portal-install'
import { forgetProcess } from '@/tests/support/reset-process'
import { startUpstream } from '@/tests/support/upstream/upstream'

const patience = { timeout: 20_000 }
const forever = 1_000_000

test.each([true, false])(
  'a job whose service sent nothing for an hour is still shown as running everywhere, extensions %s',
  async (extensions) => {
    await using _ = await openPortalDatabase()
    await using upstream = await startUpstream({ extensions, silentMs: forever })
    const { install, actor, serverId, path } = await prepareInstall(upstream)
    const jobId = await install()
    await expect.poll(async () => (await storedLines(jobId)).length, patience).toBe(3)
    await db().job.update({ where: { id: jobId }, data: { heardAt: new Date(Date.now() - 3_600_000) } })
    expect(await findJob(actor, jobId)).toMatchObject({ state: 'running', endedAt: null })
    expect(await findServer(actor, serverId)).toMatchObject({ runningJobId: jobId })
    expect((await listServers(actor)).servers).toMatchObject([{ runningJobId: jobId }])
    expect(await readCounts(actor)).toMatchObject({ running: 1 })
    expect(await startJob(actor, contract.servers.install, { serverId })).toMatchObject({ ok: true, data: { jobId } })
    expect(upstream.callsTo('GET', path)).toHaveLength(1)
  },
)

test('after a silence the lines continue, in one job and over one call', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream({ silentMs: 1_500 })
  const { install, path } = await prepareInstall(upstream)
  const jobId = await install()
  await expect.poll(() => stateOf(jobId), patience).toBe('done')
  const lines = await storedLines(jobId)
  expect(lines).toHaveLength(10)
  expect(Number(lines[3]?.at) - Number(lines[2]?.at)).toBeGreaterThan(1_000)
  expect(upstream.callsTo('GET', path)).toHaveLength(1)
})

test.each([true, false])('a job past JOB_HOURS ends with a sentence that names the setting, extensions %s', async (extensions) => {
  await using _ = await openPortalDatabase()
  getSettings().jobMs = 1_000
  await using upstream = await startUpstream({ extensions, silentMs: forever })
  const { install, actor } = await prepareInstall(upstream)
  const jobId = await install()
  await expect.poll(() => stateOf(jobId), patience).toBe('interrupted')
  const { problem, endedAt } = (await findJob(actor, jobId)) ?? {}
  expect([problem?.code, endedAt]).toEqual(['upstream_too_slow', expect.any(String)])
  expect(problem?.sentence).toContain('JOB_HOURS')
  await expect.poll(() => upstream.openStreams, patience).toBe(0)
  expect(upstream.calls.filter(({ path }) => path.endsWith('/install'))).toHaveLength(1)
})

test('a stream that closes during a silence is interrupted immediately if the service cannot resume', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream({ silentMs: forever })
  const { install } = await prepareInstall(upstream)
  const jobId = await install()
  await expect.poll(async () => (await storedLines(jobId)).length, patience).toBe(3)
  upstream.cut()
  await expect.poll(() => stateOf(jobId), patience).toBe('interrupted')
})

test('a stream that closes after a long silence is resumed if the service can, and never shown as interrupted', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream({ extensions: true, silentMs: 3_000 })
  const { install, upstreamId } = await prepareInstall(upstream)
  const jobId = await install()
  await expect.poll(async () => (await storedLines(jobId)).length, patience).toBe(3)
  forgetProcess()
  await resumeJobs({ firstRetryMs: 50, lastRetryMs: 50, awayMs: 1_000, giveUpMs: 60_000, arriveMs: 0 })
  await expect.poll(() => stateOf(jobId), patience).toBe('running')
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  upstream.cut()
  const seen = new Set<string>()
  await expect.poll(async () => seen.add(await stateOf(jobId)).has('done'), { ...patience, interval: 5 }).toBe(true)
  expect([...seen]).toEqual(['running', 'done'])
  expect(upstream.installStarts(upstreamId)).toBe(1)
})

test('a job whose portal restarted during a silence is interrupted if the service cannot resume', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream({ silentMs: forever })
  const { install, actor, path } = await prepareInstall(upstream)
  const jobId = await install()
  await expect.poll(async () => (await storedLines(jobId)).length, patience).toBe(3)
  forgetProcess()
  expect(await resumeJobs()).toBe(0)
  expect(await findJob(actor, jobId)).toMatchObject({ state: 'interrupted', endedAt: expect.any(String) })
  expect(upstream.callsTo('GET', path)).toHaveLength(1)
})
