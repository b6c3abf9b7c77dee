/** If a service keeps an install's stream open for ever, any user who may change the server can stop following it. */
import { expect, test } from 'vitest'
import { contract } from '@/lib/contract'
import { db } from '@/lib/portal/base/db'
import { startJob } from '@/lib/portal/jobs/start'
import { stopFollowing } from '@/lib/portal/jobs/stop-following'
import { findJob } from '@/lib/portal/jobs/view'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { prepareInstall, storedLines } from '@/tests/support/portal-install'
import { createTeam } from '@/tests/support/portal-team'
import { startUpstream } from '@/tests/support/upstream/upstream'

const patience = { timeout: 20_000 }
const forever = 1_000_000

test.each([true, false])(
  'the job ends as interrupted, its stream is closed, and the server can be installed again, extensions %s',
  async (extensions) => {
    await using _ = await openPortalDatabase()
    await using upstream = await startUpstream({ extensions, silentMs: forever })
    const { install, actor, serverId, team } = await prepareInstall(upstream)
    const jobId = await install()
    await expect.poll(async () => (await storedLines(jobId)).length, patience).toBe(3)
    const mate = await team.join('admin')
    expect(await stopFollowing(mate, jobId, 'request-of-the-mate-1')).toEqual({ ok: true, data: {} })
    expect(await findJob(actor, jobId)).toMatchObject({
      state: 'interrupted',
      endedAt: expect.any(String),
      problem: { sentence: expect.stringContaining('may still be running on the server') },
    })
    await expect.poll(() => upstream.openStreams, patience).toBe(0)
    const rows = await db().auditRow.findMany({
      where: { OR: [{ requestId: jobId }, { action: 'jobs.stopFollowing' }] },
      orderBy: { seq: 'asc' },
    })
    expect(rows.map(({ action, outcome, actorId }) => [action, outcome, actorId])).toEqual([
      ['servers.install', 'asked', actor.user.id],
      ['jobs.stopFollowing', 'done', mate.user.id],
      ['servers.install', 'unknown', actor.user.id],
    ])
    const again = await startJob(actor, contract.servers.install, { serverId })
    expect(again).toMatchObject({ ok: true, data: { jobId: expect.not.stringMatching(jobId) } })
    if (again.ok) await stopFollowing(actor, again.data.jobId, 'request-of-the-actor1')
  },
)

test('following also stops for a service that never begins to answer', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream()
  const { install, actor, path } = await prepareInstall(upstream)
  upstream.set('hang', { path })
  const jobId = await install()
  await expect.poll(() => upstream.callsTo('GET', path).length, patience).toBe(1)
  expect(await stopFollowing(actor, jobId, 'request-of-the-actor1')).toEqual({ ok: true, data: {} })
  expect(await findJob(actor, jobId)).toMatchObject({ state: 'interrupted', endedAt: expect.any(String) })
})

test('a job that is over is not stopped; a viewer, another team and a user without its connection can stop none', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream({ silentMs: forever })
  const { install, actor, team } = await prepareInstall(upstream)
  const jobId = await install()
  await expect.poll(async () => (await storedLines(jobId)).length, patience).toBe(3)
  const by = async (who: Parameters<typeof stopFollowing>[0]) => stopFollowing(who, jobId, 'request-of-somebody-1')
  expect(await by(await team.join('viewer'))).toMatchObject({ ok: false, problem: { code: 'forbidden' } })
  expect(await by(await (await createTeam('Theirs')).join('owner'))).toMatchObject({ ok: false, problem: { code: 'not_found' } })
  await db().connection.updateMany({ data: { ownerId: actor.user.id } })
  expect(await by(await team.join('admin'))).toMatchObject({ ok: false, problem: { code: 'not_found' } })
  expect(await findJob(actor, jobId)).toMatchObject({ state: 'running' })
  expect(await db().auditRow.count({ where: { action: 'jobs.stopFollowing', outcome: 'denied' } })).toBe(3)
  expect(await by(actor)).toEqual({ ok: true, data: {} })
  expect(await by(actor)).toMatchObject({ ok: false, problem: { code: 'changed_meanwhile' } })
})
