/** A connection that is frozen while a job is followed through it: the stream ends, the work continues, and is followed again. */
import { expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { stopRelay } from '@/lib/portal/jobs/relay/relay'
import { resumeJobs } from '@/lib/portal/jobs/relay/resume'
import { findJob } from '@/lib/portal/jobs/view'
import { freezeConnection, thawConnection } from '@/lib/portal/subjects/connections/freeze'
import { removeConnection } from '@/lib/portal/subjects/connections/remove'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { inputOf } from '@/tests/support/own-input'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { prepareInstall, storedLines } from '@/tests/support/portal-install'
import { startUpstream, type Upstream } from '@/tests/support/upstream/upstream'

const soon = { timeout: 5_000 }
const patience = { timeout: 45_000 }

async function prepareRunning(upstream: Upstream) {
  const prepared = await prepareInstall(upstream)
  const owner = await prepared.team.join('owner')
  const { id: connectionId } = await db().connection.findFirstOrThrow()
  const jobId = await prepared.install()
  await expect.poll(async () => (await storedLines(jobId)).length, patience).toBeGreaterThan(2)
  return { ...prepared, owner, connectionId, jobId, view: () => findJob(prepared.actor, jobId) }
}

const held = {
  state: 'interrupted',
  endedAt: null,
  problem: { code: 'key_frozen', sentence: expect.stringContaining('Followed no more, still running on the server.') },
}

test('security 16: the stream through a frozen connection ends within 5 s; thawed, the job is followed to its end without a gap', {
  timeout: 120_000,
}, async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream({ extensions: true, installLines: 300, msPerLine: 20 })
  const { owner, connectionId, jobId, view, upstreamId } = await prepareRunning(upstream)
  expect(await freezeConnection(inputOf(owner, { connectionId }))).toMatchObject({ ok: true })
  await expect.poll(() => upstream.openStreams, soon).toBe(0)
  await expect.poll(view, soon).toMatchObject(held)
  const calls = upstream.calls.length
  await new Promise((resolve) => setTimeout(resolve, 3_000))
  expect(upstream.calls).toHaveLength(calls)
  expect(await thawConnection(inputOf(owner, { connectionId }))).toMatchObject({ ok: true })
  await expect.poll(view, patience).toMatchObject({ state: 'done', problem: null })
  const lines = await storedLines(jobId)
  expect(lines.map(({ seq }) => seq)).toEqual(lines.map((_line, index) => index + 1))
  expect(upstream.installStarts(upstreamId)).toBe(1)
})

test('another connection of the team that lists the server follows the job while the first one is frozen', {
  timeout: 120_000,
}, async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream({ extensions: true, installLines: 300, msPerLine: 20 })
  const { actor, owner, team, connectionId, jobId, view, upstreamId } = await prepareRunning(upstream)
  const other = await team.connect(upstream, { label: 'Other' })
  await listServers(actor)
  await freezeConnection(inputOf(owner, { connectionId }))
  await expect.poll(async () => (await db().job.findUniqueOrThrow({ where: { id: jobId } })).connectionId, soon).toBe(other)
  await expect.poll(view, patience).toMatchObject({ state: 'done' })
  expect(upstream.installStarts(upstreamId)).toBe(1)
})

test('security 16: nobody else’s own connection takes a job over, and a frozen one can be removed', { timeout: 120_000 }, async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream({ extensions: true, installLines: 3_000, msPerLine: 20 })
  const { owner, team, connectionId, view } = await prepareRunning(upstream)
  const mate = await team.join('operator')
  await team.connect(upstream, { label: 'Of a mate', ownerId: mate.user.id })
  await listServers(mate)
  await freezeConnection(inputOf(owner, { connectionId }))
  await expect.poll(view, soon).toMatchObject(held)
  expect(await removeConnection(inputOf(owner, { connectionId, confirmName: 'Test service' }))).toMatchObject({ ok: true })
  await expect.poll(view, soon).toMatchObject({ state: 'interrupted', endedAt: expect.any(String), problem: { code: 'no_connection' } })
})

test('a service that cannot resume: the job ends as interrupted, and nothing is started a second time', { timeout: 120_000 }, async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream({ installLines: 3_000, msPerLine: 20 })
  const { owner, connectionId, view, upstreamId } = await prepareRunning(upstream)
  await freezeConnection(inputOf(owner, { connectionId }))
  await expect.poll(view, soon).toMatchObject({ ...held, endedAt: expect.any(String) })
  await thawConnection(inputOf(owner, { connectionId }))
  expect(upstream.installStarts(upstreamId)).toBe(1)
})

test('a restarted portal waits for a frozen connection, too', { timeout: 120_000 }, async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream({ extensions: true, installLines: 3_000, msPerLine: 20 })
  const { owner, connectionId, jobId, view } = await prepareRunning(upstream)
  await freezeConnection(inputOf(owner, { connectionId }))
  await expect.poll(view, soon).toMatchObject(held)
  await stopRelay(jobId)
  await db().job.update({ where: { id: jobId }, data: { endedAt: null, state: 'running', lease: 'an older process', problemCode: null } })
  const calls = upstream.calls.length
  await resumeJobs()
  await expect.poll(view, soon).toMatchObject(held)
  expect(upstream.calls).toHaveLength(calls)
  await stopRelay(jobId)
})
