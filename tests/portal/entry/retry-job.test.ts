/** “Try again” on a job that failed: the same work with the same fields, checked like any other. */
import { expect, test } from 'vitest'
import { contract } from '@/lib/contract'
import type { Operation } from '@/lib/contract/operation'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import { retryJob } from '@/lib/portal/entry/retry-job'
import type { Person } from '@/lib/portal/identity/actor'
import { startJob } from '@/lib/portal/jobs/start'
import { stopFollowing } from '@/lib/portal/jobs/stop-following'
import { findJob } from '@/lib/portal/jobs/view'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { listSites } from '@/lib/portal/subjects/sites/list'
import { inputOf } from '@/tests/support/own-input'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { startUpstream } from '@/tests/support/upstream/upstream'

const patience = { timeout: 20_000 }

async function openScene() {
  const database = await openPortalDatabase()
  const upstream = await startUpstream({ extensions: true })
  const server = `/servers/${upstream.addServer({ name: 'web-01' })}`
  const at = `/sites/${upstream.addSite({ domain: 'first.example' })}`
  const team = await createTeam()
  const actor = await team.join('operator')
  await team.connect(upstream)
  const siteId = (await listSites(actor)).sites[0]?.id ?? ''
  const serverId = (await listServers(actor)).servers[0]?.id ?? ''
  const endOf = async (who: Person, jobId: string) => {
    await expect.poll(async () => (await findJob(who, jobId))?.endedAt ?? null, patience).not.toBeNull()
    return findJob(who, jobId)
  }
  const start = async (operation: Operation, fields: Record<string, unknown>, options = {}) => {
    const target = operation.path.includes('{site_id}') ? { siteId } : { serverId }
    const started = await startJob(actor, operation, target, fields, options)
    if (!started.ok) throw new Error(started.problem.sentence)
    return started.data.jobId
  }
  /** Starts work that fails, and resolves with its job. */
  const fail = async (operation: Operation, path: string, fields: Record<string, unknown>, options = {}) => {
    upstream.set('500-json', { path: operation.path.includes('{site_id}') ? `${at}${path}` : `${server}${path}` })
    const job = await endOf(actor, await start(operation, fields, options))
    upstream.clear()
    if (!job) throw new Error('There is no such job.')
    return job
  }
  const retry = (who: Person, jobId: string) => retryJob(inputOf(who, { jobId }))
  return {
    upstream,
    at,
    server,
    serverId,
    team,
    actor,
    endOf,
    start,
    fail,
    retry,
    async [Symbol.asyncDispose]() {
      await upstream[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

test('a job that failed is started again with its fields, as a new job', async () => {
  await using scene = await openScene()
  const { upstream, at, actor, endOf, fail, retry } = scene
  const job = await fail(contract.aliases.save, '/savealias', { alias: 'www.first.example', more: '1' })
  // The service says that it failed.
  expect(job).toMatchObject({ state: 'failed', repeatable: true })
  const again = await retry(actor, job.id)
  if (!again.ok) throw new Error(again.problem.sentence)
  expect(again.data.jobId).not.toBe(job.id)
  expect(await endOf(actor, again.data.jobId)).toMatchObject({ state: 'done', repeatable: false, operation: 'aliases.save' })
  const sent = upstream.callsTo('POST', `${at}/savealias`).map(({ fields }) => fields)
  expect(sent).toMatchObject([
    { alias: 'www.first.example', more: '1' },
    { alias: 'www.first.example', more: '0' },
  ])
  const backup = await fail(contract.backups.create, '/backup/creates', {})
  expect(await retry(actor, backup.id)).toMatchObject({ ok: true })
})

test('a job is started again once: a second click or tab is refused, and the page names the newer job', async () => {
  await using scene = await openScene()
  const { upstream, at, actor, team, endOf, fail, retry } = scene
  const job = await fail(contract.aliases.save, '/savealias', { alias: 'www.first.example' })
  upstream.model.siteLines = { steps: ['names'], msPerLine: 300 }
  const mate = await team.join('admin')
  const both = await Promise.all([retry(actor, job.id), retry(mate, job.id)])
  const [made] = both.flatMap((outcome) => (outcome.ok ? [outcome.data.jobId] : []))
  expect(both.filter(({ ok }) => !ok)).toMatchObject([{ problem: { code: 'changed_meanwhile' } }])
  await endOf(actor, made ?? '')
  expect(await retry(mate, job.id)).toMatchObject({
    problem: { code: 'changed_meanwhile', sentence: 'This was already started again. Reload the page to see the newer one.' },
  })
  expect(await findJob(actor, job.id)).toMatchObject({ repeatable: false, newer: { kind: 'job', id: made } })
  expect(upstream.callsTo('POST', `${at}/savealias`)).toHaveLength(2)
  const requestId = createOpaqueId()
  const other = await fail(contract.ssl.set, '/setssl', { status: '1' })
  const input = inputOf(actor, { jobId: other.id }, { requestId })
  expect(await retryJob(input)).toEqual({ ok: true, data: { jobId: requestId } })
  expect(await retryJob(input)).toEqual({ ok: true, data: { jobId: requestId } })
})

test.each<[operation: Operation, path: string, fields: Record<string, string>]>([
  [contract.servers.install, '/install', {}],
  [contract.servers.upgrade, '/upgrade', {}],
  [contract.servers.applyUpdates, '/updates', { security: '1' }],
])(
  '$id: a job of a server that failed is started again once, with its fields, and its page names the newer job',
  async (operation, path, fields) => {
    await using scene = await openScene()
    const { upstream, server, actor, team, endOf, fail, retry } = scene
    const job = await fail(operation, path, fields)
    expect(job).toMatchObject({ state: 'failed', repeatable: true, newer: null })
    const mate = await team.join('admin')
    const both = await Promise.all([retry(actor, job.id), retry(mate, job.id)])
    const made = both.flatMap((outcome) => (outcome.ok ? [outcome.data.jobId] : []))
    expect(both.filter(({ ok }) => !ok)).toMatchObject([{ problem: { code: 'changed_meanwhile' } }])
    expect(await endOf(actor, made[0] ?? '')).toMatchObject({ state: 'done', repeatable: false, operation: operation.id })
    expect(await retry(mate, job.id)).toMatchObject({ problem: { code: 'changed_meanwhile' } })
    expect(await findJob(actor, job.id)).toMatchObject({ repeatable: false, newer: { kind: 'job', id: made[0] } })
    const sent = upstream.calls.filter((call) => call.path === `${server}${path}`)
    expect(sent.slice(1)).toMatchObject([{ fields }])
  },
)

test('an install that nobody follows is followed again from its job, and the old job names the new one', async () => {
  await using scene = await openScene()
  const { actor, start, retry, upstream, serverId } = scene
  upstream.set('hang', { path: `${scene.server}/install` })
  const jobId = await start(contract.servers.install, {})
  expect((await findJob(actor, jobId))?.repeatable).toBe(false)
  await expect.poll(() => upstream.callsTo('GET', `${scene.server}/install`).length, patience).toBe(1)
  expect(await stopFollowing(actor, jobId, createOpaqueId())).toMatchObject({ ok: true })
  upstream.clear()
  expect(await findJob(actor, jobId)).toMatchObject({ state: 'interrupted', repeatable: true })
  const again = await retry(actor, jobId)
  if (!again.ok) throw new Error(again.problem.sentence)
  expect((await findJob(actor, jobId))?.newer).toEqual({ kind: 'job', id: again.data.jobId })
  await scene.endOf(actor, again.data.jobId)
  // A server that was deleted has nothing to be started again on.
  await db().server.delete({ where: { id: serverId } })
  expect((await findJob(actor, jobId))?.repeatable ?? false).toBe(false)
})

test('what could not be started again because other work was running can be tried later', async () => {
  await using scene = await openScene()
  const { upstream, actor, endOf, fail, retry, start } = scene
  const job = await fail(contract.aliases.save, '/savealias', { alias: 'www.first.example' })
  upstream.model.siteLines = { steps: ['names'], msPerLine: 300 }
  const other = await start(contract.aliases.save, { alias: 'shop.first.example' })
  expect(await retry(actor, job.id)).toMatchObject({ problem: { code: 'busy' } })
  expect(await findJob(actor, job.id)).toMatchObject({ repeatable: true, newer: null })
  await endOf(actor, other)
  expect(await retry(actor, job.id)).toMatchObject({ ok: true })
})

test('what needs a secret or a typed name is not started again from its job, nor is what succeeded', async () => {
  await using scene = await openScene()
  const { actor, endOf, fail, retry } = scene
  const onItsPage = { ok: false, problem: { code: 'unsuitable' } }
  const push = await fail(contract.apps.push, '/apps/push', { files: '1', database: '0' }, { confirmName: 'first.example' })
  expect(push.repeatable).toBe(false)
  expect(await retry(actor, push.id)).toMatchObject(onItsPage)
  const failed = await fail(contract.ssl.set, '/setssl', { status: '1' })
  const again = await retry(actor, failed.id)
  if (!again.ok) throw new Error(again.problem.sentence)
  await endOf(actor, again.data.jobId)
  expect(await retry(actor, again.data.jobId)).toMatchObject(onItsPage)
})

test('security 23: a viewer starts nothing again, and the jobs of another team do not exist', async () => {
  await using scene = await openScene()
  const { team, fail, retry } = scene
  const job = await fail(contract.ssl.set, '/setssl', { status: '1' })
  const push = await fail(contract.apps.push, '/apps/push', { files: '1', database: '0' }, { confirmName: 'first.example' })
  const viewer = await team.join('viewer')
  for (const { id } of [job, push]) expect(await retry(viewer, id)).toMatchObject({ problem: { code: 'forbidden' } })
  const stranger = await (await createTeam('Another')).join('owner')
  expect(await retry(stranger, job.id)).toMatchObject({ problem: { code: 'not_found' } })
})
