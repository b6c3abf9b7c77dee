/** What members learn of a job besides its lines: that it failed, and who watches it. */
import { expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { findPresentUsers } from '@/lib/portal/base/presence'
import { recordEnd } from '@/lib/portal/jobs/relay/record-end'
import { stopRelay } from '@/lib/portal/jobs/relay/relay'
import { watchJob } from '@/lib/portal/jobs/relay/watch-job'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { prepareInstall, stateOf } from '@/tests/support/portal-install'
import { createTeam } from '@/tests/support/portal-team'
import { readSse } from '@/tests/support/sse-reader'
import { startUpstream } from '@/tests/support/upstream/upstream'

const patience = { timeout: 20_000 }

const told = () => db().notification.findMany({ select: { userId: true, kind: true, subjectId: true, detail: true } })
const outcomes = (jobId: string) => db().auditRow.count({ where: { requestId: jobId, stage: 'outcome' } })

test('everybody who sees the server is notified once that its job failed', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream({ extensions: true, installFails: true })
  const { install, actor, team } = await prepareInstall(upstream)
  const viewer = await team.join('viewer')
  await (await createTeam('Theirs')).join('owner')
  const jobId = await install()
  await expect.poll(() => outcomes(jobId), patience).toBe(1)
  const event = { kind: 'job_failed', subjectId: jobId, detail: '{"operation":"servers.install","name":"alpha"}' }
  const expected = [actor, viewer].map(({ user }) => ({ ...event, userId: user.id }))
  expect(await told()).toHaveLength(2)
  expect(await told()).toEqual(expect.arrayContaining(expected))
  await recordEnd({ jobId }, { state: 'failed', problem: null })
  expect(await told()).toHaveLength(2)
})

test('of a server that only one member’s own connection lists, only that member is notified', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream({ extensions: true, installFails: true })
  const { install, actor, team } = await prepareInstall(upstream)
  await team.join('owner')
  await db().connection.updateMany({ data: { ownerId: actor.user.id } })
  const jobId = await install()
  await expect.poll(() => outcomes(jobId), patience).toBe(1)
  expect((await told()).map(({ userId }) => userId)).toEqual([actor.user.id])
})

test('nobody is notified of a job that is done', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream({ extensions: true, installLines: 3 })
  const { install } = await prepareInstall(upstream)
  const jobId = await install()
  await expect.poll(() => outcomes(jobId), patience).toBe(1)
  expect([await stateOf(jobId), await told()]).toEqual(['done', []])
})

test('who has the stream of a job open counts as looking at its server', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream({ extensions: true, msPerLine: 1_000_000 })
  const { install, serverId, team } = await prepareInstall(upstream)
  const [viewer, idle] = [await team.join('viewer'), await team.join('viewer')]
  const jobId = await install()
  expect(findPresentUsers(serverId)).not.toContain(viewer.user.id)
  const timing = { heartbeatMs: 50, recheckMs: 50, patienceMs: 200 }
  const stream = readSse(await watchJob(viewer, jobId, new Request(`http://localhost/api/jobs/${jobId}/events`), timing))
  await expect.poll(() => findPresentUsers(serverId), patience).toContain(viewer.user.id)
  expect(findPresentUsers(serverId)).not.toContain(idle.user.id)
  await stream.leave()
  await stopRelay(jobId)
})
