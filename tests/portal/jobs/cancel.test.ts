/** Work on a site is cancelled by any user who may change it, and the job, its viewers and the audit log say who did. */
import { expect, test } from 'vitest'
import { contract } from '@/lib/contract'
import { db } from '@/lib/portal/base/db'
import { cancelJob } from '@/lib/portal/jobs/cancel'
import { startJob } from '@/lib/portal/jobs/start'
import { findJob } from '@/lib/portal/jobs/view'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { listSites } from '@/lib/portal/subjects/sites/list'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { startUpstream } from '@/tests/support/upstream/upstream'

const patience = { timeout: 20_000 }

async function openScene() {
  const database = await openPortalDatabase()
  const upstream = await startUpstream({ extensions: true })
  upstream.addServer({ name: 'web-01' })
  const upstreamId = upstream.addSite({ domain: 'a.example' })
  const team = await createTeam()
  const actor = await team.join('operator')
  await team.connect(upstream)
  const serverId = (await listServers(actor)).servers[0]?.id ?? ''
  const siteId = (await listSites(actor)).sites[0]?.id ?? ''
  const running = async (started: Awaited<ReturnType<typeof startJob>>): Promise<string> => {
    if (!started.ok) throw new Error(started.problem.sentence)
    const { jobId } = started.data
    await expect.poll(async () => (await findJob(actor, jobId))?.step, patience).not.toBe('')
    return jobId
  }
  return {
    upstream,
    upstreamId,
    team,
    actor,
    serverId,
    siteId,
    backUp: async () => running(await startJob(actor, contract.backups.create, { siteId })),
    create: async (domain: string) =>
      running(await startJob(actor, contract.sites.create, { serverId }, { domain, password: 'a long secret' })),
    async [Symbol.asyncDispose]() {
      await upstream[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

const slowly = () => ({ steps: ['Backup', 'Check', 'End'], msPerLine: 1500 })

test('the job ends as cancelled by whoever did it, and the audit log has both', async () => {
  await using scene = await openScene()
  const { upstream, team, actor, siteId, backUp } = scene
  upstream.model.siteLines = slowly()
  const jobId = await backUp()
  const mate = await team.join('admin')
  expect(await cancelJob(mate, jobId, 'request-of-the-mate-1')).toEqual({ ok: true, data: {} })
  await expect.poll(async () => (await findJob(actor, jobId))?.state, patience).toBe('cancelled')
  expect(await findJob(actor, jobId)).toMatchObject({
    cancelledBy: mate.user.name,
    endedAt: expect.any(String),
    problem: { code: 'cancelled', sentence: expect.stringContaining('taken back') },
  })
  const rows = () => db().auditRow.findMany({ where: { objectKind: 'site', objectId: siteId }, orderBy: { seq: 'asc' } })
  await expect
    .poll(async () => (await rows()).map(({ action, stage, outcome, actorId }) => [action, stage, outcome, actorId]), patience)
    .toEqual([
      ['backups.create', 'intent', 'asked', actor.user.id],
      ['sites.cancel', 'intent', 'asked', mate.user.id],
      ['sites.cancel', 'outcome', 'done', mate.user.id],
      ['backups.create', 'outcome', 'failed', actor.user.id],
    ])
  expect(JSON.parse((await rows()).at(-1)?.detail ?? '')).toMatchObject({ code: 'cancelled' })
  expect(await db().notification.count()).toBe(0)
  expect(await cancelJob(mate, jobId, 'request-of-the-mate-2')).toMatchObject({ ok: false, problem: { code: 'changed_meanwhile' } })
})

test('a service that refuses because it is too late: the job continues, and nobody has cancelled it', async () => {
  await using scene = await openScene()
  const { upstream, upstreamId, actor, backUp } = scene
  upstream.model.siteLines = slowly()
  const jobId = await backUp()
  upstream.set('success-false', { path: `/sites/${upstreamId}/cancel` })
  expect(await cancelJob(actor, jobId, 'request-of-the-actor1')).toMatchObject({ ok: false })
  await expect.poll(async () => (await findJob(actor, jobId))?.state, patience).toBe('done')
  expect(await findJob(actor, jobId)).toMatchObject({ cancelledBy: '' })
})

test('the creation of a site is cancelled once the service lists the site', async () => {
  await using scene = await openScene()
  const { upstream, actor, create } = scene
  upstream.model.siteLines = slowly()
  const jobId = await create('new.example')
  expect(await cancelJob(actor, jobId, 'request-of-the-actor1')).toMatchObject({ ok: false, problem: { code: 'busy' } })
  upstream.addSite({ domain: 'new.example', listed: { state: 'creating' } })
  expect(await cancelJob(actor, jobId, 'request-of-the-actor2')).toEqual({ ok: true, data: {} })
  await expect.poll(async () => (await findJob(actor, jobId))?.state, patience).toBe('cancelled')
})

test('two sites of a server are created at a time, one of them only once', async () => {
  await using scene = await openScene()
  const { upstream, actor, serverId, create } = scene
  upstream.model.siteLines = slowly()
  const jobs = [await create('one.example'), await create('two.example')]
  const again = await startJob(actor, contract.sites.create, { serverId }, { domain: 'one.example', password: 'a long secret' })
  expect(again).toMatchObject({ ok: false, problem: { code: 'busy' } })
  for (const jobId of jobs) await expect.poll(async () => (await findJob(actor, jobId))?.state, patience).toBe('done')
})

test('a viewer, another team and a user who does not know the job cancel nothing', async () => {
  await using scene = await openScene()
  const { upstream, team, actor, backUp } = scene
  upstream.model.siteLines = slowly()
  const jobId = await backUp()
  const by = async (who: Parameters<typeof cancelJob>[0], id = jobId) => cancelJob(who, id, 'request-of-somebody-1')
  const viewer = await team.join('viewer')
  expect(await by(viewer)).toMatchObject({ ok: false, problem: { code: 'forbidden' } })
  expect(await by(await (await createTeam('Theirs')).join('owner'))).toMatchObject({ ok: false, problem: { code: 'not_found' } })
  expect(await by(actor, 'x'.repeat(30))).toMatchObject({ ok: false, problem: { code: 'not_found' } })
  expect(upstream.calls.filter(({ path }) => path.endsWith('/cancel'))).toEqual([])
  expect(await db().auditRow.count({ where: { action: 'sites.cancel', outcome: 'denied' } })).toBe(3)
  await expect.poll(async () => (await findJob(actor, jobId))?.state, patience).toBe('done')
  // Who may cancel nothing is refused whatever the job's state.
  expect(await by(viewer)).toMatchObject({ ok: false, problem: { code: 'forbidden' } })
})
