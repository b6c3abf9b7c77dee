/** Creating and deleting sites as jobs: the new site is found, and a deletion whose answer was lost is settled by the list. */
import { expect, test } from 'vitest'
import { contract } from '@/lib/contract'
import { db } from '@/lib/portal/base/db'
import type { Person } from '@/lib/portal/identity/actor'
import { resumeJobs } from '@/lib/portal/jobs/relay/resume'
import { startJob } from '@/lib/portal/jobs/start'
import { findJob } from '@/lib/portal/jobs/view'
import { forgetListing } from '@/lib/portal/subjects/listing/cache'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { findCreatedSite } from '@/lib/portal/subjects/sites/created'
import { findSite } from '@/lib/portal/subjects/sites/find'
import { siteDeletes } from '@/lib/portal/subjects/sites/gone'
import { listSites } from '@/lib/portal/subjects/sites/list'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { forgetProcess } from '@/tests/support/reset-process'
import { startUpstream, type UpstreamOptions } from '@/tests/support/upstream/upstream'

const patience = { timeout: 20_000 }

async function openScene(options: UpstreamOptions = {}) {
  const database = await openPortalDatabase()
  const upstream = await startUpstream(options)
  upstream.addServer({ name: 'web-01' })
  const team = await createTeam()
  const actor = await team.join('operator')
  const connectionId = await team.connect(upstream)
  const serverId = (await listServers(actor)).servers[0]?.id ?? ''
  const create = (domain: string) => startJob(actor, contract.sites.create, { serverId }, { domain, password: 'a long secret' })
  const remove = (siteId: string, confirmName: string, fields = {}) =>
    startJob(actor, contract.sites.delete, { siteId }, fields, { confirmName })
  return {
    upstream,
    team,
    actor,
    connectionId,
    serverId,
    create,
    remove,
    async [Symbol.asyncDispose]() {
      await upstream[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

type Started = Awaited<ReturnType<typeof startJob>>

/** The job once it has ended. */
async function endOf(actor: Person, started: Started) {
  if (!started.ok) throw new Error(started.problem.sentence)
  await expect.poll(async () => (await findJob(actor, started.data.jobId))?.endedAt ?? null, patience).not.toBeNull()
  return findJob(actor, started.data.jobId)
}

const outcomesOf = async (requestId: string | undefined) =>
  (await db().auditRow.findMany({ where: { requestId: requestId ?? '' }, orderBy: { seq: 'asc' } })).map(
    ({ objectKind, outcome }) => `${objectKind} ${outcome}`,
  )

test.each([
  ['names it in its answer', { extensions: true }],
  ['does not name it', {}],
])('a service that %s: the new site is found, and the job leads to it', async (_how, options) => {
  await using scene = await openScene(options)
  const { actor, upstream, create, serverId } = scene
  const job = await endOf(actor, await create('new.example'))
  expect(job).toMatchObject({ state: 'done', targetName: 'new.example', title: 'Create new.example', serverId, problem: null })
  const site = await db().site.findFirst({ where: { id: job?.siteId ?? '' } })
  expect(site).toMatchObject({ domain: 'new.example', serverId })
  expect(upstream.callsTo('POST', '/sites/create')[0]?.fields).toMatchObject({ domain: 'new.example', server: 'srv-1' })
  await expect.poll(() => outcomesOf(job?.id), patience).toEqual(['server asked', 'server done'])
  expect(JSON.stringify(await db().auditRow.findMany())).not.toContain('a long secret')
})

test('the steps of a service that streams are lines of the job, and the answer is in the last one', async () => {
  await using scene = await openScene({ extensions: true })
  const { actor, upstream, create, remove } = scene
  upstream.model.siteLines = { steps: ['user', 'database'], msPerLine: 5 }
  const job = await endOf(actor, await create('new.example'))
  expect(job).toMatchObject({ state: 'done', eventCount: 3, progress: 100 })
  const gone = await endOf(actor, await remove(job?.siteId ?? '', 'new.example'))
  expect(gone).toMatchObject({ state: 'done', title: 'Delete new.example', note: '/var/backups/gatehouse/new.example.tar.zst' })
  expect((await listSites(actor)).sites).toEqual([])
  await expect.poll(() => outcomesOf(gone?.id), patience).toEqual(['site asked', 'site done'])
})

test('a site that is being created has its page from then on, and a second creation of it is the same job', async () => {
  await using scene = await openScene({ extensions: true })
  const { actor, upstream, create } = scene
  upstream.model.siteLines = { steps: ['user', 'database', 'PHP'], msPerLine: 1_000 }
  const started = await create('new.example')
  const job = async () => (started.ok ? findJob(actor, started.data.jobId) : null)
  expect(await job()).toMatchObject({ state: 'running', siteId: null })
  upstream.addSite({ domain: 'new.example', listed: { state: 'creating' } })
  await expect.poll(async () => (await job())?.siteId ?? null, patience).not.toBeNull()
  const running = await job()
  expect(running).toMatchObject({ state: 'running' })
  expect(await findSite(actor, running?.siteId ?? '')).toMatchObject({ domain: 'new.example', state: 'creating' })
  expect(await create('new.example')).toMatchObject({ ok: false, problem: { code: 'busy' } })
  expect(await endOf(actor, started)).toMatchObject({ state: 'done' })
})

test('a creation that fails leads to no site', async () => {
  await using scene = await openScene({ extensions: true })
  const { actor, upstream, create } = scene
  upstream.model.siteLines = { steps: ['user', 'database', 'PHP'], msPerLine: 1_000 }
  const started = await create('new.example')
  const begun = upstream.addSite({ domain: 'new.example', listed: { state: 'creating' } })
  await expect.poll(async () => (started.ok ? await findJob(actor, started.data.jobId) : null)?.siteId ?? null, patience).not.toBeNull()
  upstream.model.siteLines.cancelled = true
  upstream.model.sites.delete(begun)
  expect(await endOf(actor, started)).toMatchObject({ state: 'cancelled', siteId: null })
})

test('a creation whose service lost sight of the server is done if the list shows the site', async () => {
  await using scene = await openScene({ extensions: true })
  const { actor, upstream, create } = scene
  upstream.model.siteLines = { steps: ['user'], msPerLine: 0, lost: true }
  const job = await endOf(actor, await create('lost.example'))
  expect(job).toMatchObject({ state: 'done', problem: null })
  expect(job?.siteId).not.toBeNull()
})

test('a deletion whose service lost sight of the server is unknown until a list settles it', async () => {
  await using scene = await openScene({ extensions: true })
  const { actor, upstream, remove } = scene
  upstream.addSite({ domain: 'a.example' })
  const id = (await listSites(actor)).sites[0]?.id ?? ''
  upstream.model.siteLines = { steps: ['files'], msPerLine: 0, lost: true }
  const started = await remove(id, 'a.example')
  const outcomes = () => outcomesOf(started.ok ? started.data.jobId : '')
  await expect.poll(outcomes, patience).toEqual(['site asked', 'site unknown', 'site done'])
})

test('a domain of another script is found in either form', async () => {
  await using scene = await openScene()
  const { actor, upstream, connectionId, team, serverId } = scene
  upstream.addSite({ domain: 'xn--mnchen-3ya.example' })
  const connection = await db().connection.findUniqueOrThrow({ where: { id: connectionId } })
  const row = { teamId: team.id, serverId, targetName: 'München.example', startedAt: new Date(Date.now() - 1000) }
  const search = { upstreamId: '', onlyNew: true, patient: false }
  const id = await findCreatedSite({ row, connection }, search)
  expect(id).toBe((await listSites(actor)).sites[0]?.id)
  // What was listed before the job began proves nothing about an unknown outcome.
  const later = { ...row, startedAt: new Date(Date.now() + 1000) }
  expect(await findCreatedSite({ row: later, connection }, search)).toBeNull()
  expect(await findCreatedSite({ row: later, connection }, { ...search, onlyNew: false })).toBe(id)
})

test.each([
  ['creating', false],
  ['failed', false],
  ['ready', true],
  ['down', true],
])('a new site that is listed as %s settles an unknown creation: %s', async (state, settles) => {
  await using scene = await openScene({ extensions: true })
  const { upstream, connectionId, team, serverId } = scene
  const connection = await db().connection.findUniqueOrThrow({ where: { id: connectionId } })
  upstream.addSite({ domain: 'lost.example', listed: { state } })
  const row = { teamId: team.id, serverId, targetName: 'lost.example', startedAt: new Date(Date.now() - 1000) }
  const found = await findCreatedSite({ row, connection }, { upstreamId: '', onlyNew: true, patient: false })
  expect(found !== null).toBe(settles)
})

test('a new site that the list shows late is waited for; one that it never shows is not found', async () => {
  await using scene = await openScene()
  const { upstream, connectionId, team, serverId } = scene
  const connection = await db().connection.findUniqueOrThrow({ where: { id: connectionId } })
  const row = { teamId: team.id, serverId, targetName: 'late.example', startedAt: new Date() }
  const search = { upstreamId: '', onlyNew: false, patient: true }
  expect(await findCreatedSite({ row, connection }, search, 100)).toBeNull()
  const finding = findCreatedSite({ row, connection }, search, 10_000)
  setTimeout(() => upstream.addSite({ domain: 'late.example' }), 500)
  expect(await finding).not.toBeNull()
})

test('a creation whose answer was lost is done if the list shows the site, and never sent again', async () => {
  await using scene = await openScene()
  const { actor, upstream, create } = scene
  upstream.set('reset-after', { path: '/sites/create' })
  const job = await endOf(actor, await create('lost.example'))
  expect(job).toMatchObject({ state: 'done', problem: null })
  expect(job?.siteId).not.toBeNull()
  expect(upstream.callsTo('POST', '/sites/create')).toHaveLength(1)
})

test('a creation that a restart of the portal cut off is done if the list then shows the site', async () => {
  await using scene = await openScene()
  const { actor, upstream, create } = scene
  upstream.set('slow-head', { path: '/sites/create', times: 1 })
  const started = await create('cut.example')
  await expect.poll(() => upstream.callsTo('POST', '/sites/create').length, patience).toBe(1)
  upstream.addSite({ domain: 'cut.example' })
  forgetProcess()
  expect(await resumeJobs()).toBe(0)
  const job = await endOf(actor, started)
  expect(job).toMatchObject({ state: 'done', problem: null })
  expect(job?.siteId).not.toBeNull()
  expect(upstream.callsTo('POST', '/sites/create')).toHaveLength(1)
})

test('a refused creation says why, and two at once on one server do not run', async () => {
  await using scene = await openScene()
  const { actor, upstream, create } = scene
  upstream.set('500-json', { path: '/sites/create' })
  expect(await endOf(actor, await create('no.example'))).toMatchObject({ state: 'failed', problem: { code: 'upstream_failed' } })
  upstream.clear()
  upstream.set('slow-head', { path: '/sites/create', times: 1 })
  const first = await create('one.example')
  expect(first.ok).toBe(true)
  expect(await create('two.example')).toMatchObject({ ok: false, problem: { code: 'busy' } })
})

test('a creation that is refused for a field says why in its job', async () => {
  const domain = 'no.example is already a name of another site.'
  const refused = { success: false, code: 'invalid', error: 'A field is missing or invalid.', fields: { domain } }
  await using scene = await openScene({
    extensions: true,
    refuses: ({ path }) => (path === '/sites/create' ? { status: 422, body: refused } : null),
  })
  const job = await endOf(scene.actor, await scene.create('no.example'))
  expect(job).toMatchObject({ state: 'failed', problem: { code: 'invalid', sentence: domain } })
})

test('a deletion whose answer was lost is settled by a later list, in the audit log and on the job', async () => {
  await using scene = await openScene()
  const { actor, upstream, connectionId, remove } = scene
  upstream.addSite({ domain: 'a.example' })
  const id = (await listSites(actor)).sites[0]?.id ?? ''
  upstream.set('reset-after', { path: '/sites/site-2/delete' })
  const started = await remove(id, 'a.example')
  await endOf(actor, started)
  forgetListing(connectionId)
  await expect
    .poll(async () => {
      await listSites(actor)
      return outcomesOf(started.ok ? started.data.jobId : '')
    }, patience)
    .toEqual(['site asked', 'site unknown', 'site done'])
  expect(await findJob(actor, started.ok ? started.data.jobId : '')).toMatchObject({ state: 'done', problem: null })
  expect((await listSites(actor)).sites).toEqual([])
})

test('a deletion that a service makes late is never told as failed: it stays unknown until a list lacks the site', async () => {
  await using scene = await openScene()
  const { actor, upstream, connectionId, remove } = scene
  upstream.addSite({ domain: 'a.example' })
  const id = (await listSites(actor)).sites[0]?.id ?? ''
  upstream.set('truncated-json', { path: '/sites/site-2/delete' })
  const started = await remove(id, 'a.example')
  const { id: jobId = '' } = (await endOf(actor, started)) ?? {}
  const later = (minutes: number) => new Date(Date.now() + minutes * 60_000 + 1000)
  // The log has the outcome a moment after the job.
  await expect.poll(() => outcomesOf(jobId), patience).toHaveLength(2)
  await siteDeletes.settle([id], later(0), 'still there')
  expect(await outcomesOf(jobId)).toEqual(['site asked', 'site unknown'])
  for (const minutes of [3, 4]) await siteDeletes.settle([id], later(minutes), 'still there')
  expect(await outcomesOf(jobId)).toEqual(['site asked', 'site unknown', 'site unknown'])
  const sentence = 'A list 3 minutes later still showed the site. It may still be deleted.'
  const stillOpen = await findJob(actor, jobId)
  expect(stillOpen?.state).toMatch(/^(unknown|interrupted)$/)
  expect(stillOpen?.problem).toEqual({ code: 'outcome_unknown', sentence })
  // A process that begins later says it no second time, and a list without the site still decides.
  forgetProcess()
  await siteDeletes.settle([id], later(5), 'still there')
  expect(await outcomesOf(jobId)).toHaveLength(3)
  upstream.model.sites.delete('site-2')
  forgetListing(connectionId)
  await listSites(actor)
  expect((await outcomesOf(jobId)).at(-1)).toBe('site done')
  expect(await findJob(actor, jobId)).toMatchObject({ state: 'done', problem: null })
})

test('a viewer may not create or delete, and nothing is deleted without the typed domain', async () => {
  await using scene = await openScene()
  const { actor, team, upstream, serverId, remove } = scene
  upstream.addSite({ domain: 'a.example' })
  const siteId = (await listSites(actor)).sites[0]?.id ?? ''
  const viewer = await team.join('viewer')
  const asViewer = [
    await startJob(viewer, contract.sites.create, { serverId }, { domain: 'b.example', password: 'a long secret' }),
    await startJob(viewer, contract.sites.delete, { siteId }, {}, { confirmName: 'a.example' }),
  ]
  expect(asViewer.map((outcome) => !outcome.ok && outcome.problem.code)).toEqual(['forbidden', 'forbidden'])
  expect(await remove(siteId, 'b.example')).toMatchObject({ ok: false, problem: { code: 'invalid' } })
  expect(upstream.calls.filter(({ path }) => /create|delete/.test(path))).toEqual([])
})
