/** A service that refuses one operation, with a key that it accepts. */
import { expect, test } from 'vitest'
import { contract } from '@/lib/contract'
import { db } from '@/lib/portal/base/db'
import { startJob } from '@/lib/portal/jobs/start'
import { findJob } from '@/lib/portal/jobs/view'
import { forgetListing } from '@/lib/portal/subjects/listing/cache'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { listSites } from '@/lib/portal/subjects/sites/list'
import { runOperation } from '@/lib/portal/subjects/spine'
import { auditRows, openDesk } from './desk'

const patience = { timeout: 20_000 }

const refused = (reason: string) => ({
  ok: false,
  problem: { code: 'operation_refused', sentence: `The service refuses this: \u2068${reason}\u2069` },
})

async function openRefusing(extensions: boolean) {
  const desk = await openDesk('owner', { extensions })
  const upstreamSiteId = desk.upstream.addSite({ domain: 'first.example' })
  const siteId = (await listSites(desk.actor)).sites[0]?.id ?? ''
  const states = async () => (await db().connection.findMany()).map(({ state }) => state)
  return { ...desk, siteId, at: `/sites/${upstreamSiteId}`, states, notices: () => db().notification.count() }
}

test.each(['forbidden', 'unauthorized'] as const)(
  'a read that is answered %s while the key still lists servers is refused alone: the connection stays, and nobody is asked to replace the key',
  async (fault) => {
    await using desk = await openRefusing(true)
    const { upstream, actor, siteId, at } = desk
    upstream.set(fault, { path: `${at}/database` })
    const lists = upstream.callsTo('GET', '/servers/').length
    const outcome = await runOperation(actor, contract.database.get, { siteId })
    expect(outcome).toMatchObject(refused(fault === 'forbidden' ? 'Not allowed.' : 'Invalid key.'))
    expect(upstream.callsTo('GET', '/servers/')).toHaveLength(lists + 1)
    expect(await desk.states()).toEqual(['working'])
    expect(await desk.notices()).toBe(0)
    expect(await runOperation(actor, contract.sites.summary, { siteId })).toMatchObject({ ok: true })
    expect((await listServers(actor)).connections).toMatchObject([{ state: 'working', problem: null }])
  },
)

test('several refusals at once ask for the list of servers once', async () => {
  await using desk = await openRefusing(false)
  const { upstream, actor, siteId, at } = desk
  for (const path of ['database', 'database/tables', 'settings']) upstream.set('forbidden', { path: `${at}/${path}` })
  const lists = upstream.callsTo('GET', '/servers/').length
  const reads = [contract.database.get, contract.database.tables, contract.sites.settings]
  for (const outcome of await Promise.all(reads.map((read) => runOperation(actor, read, { siteId }))))
    expect(outcome).toMatchObject(refused('Not allowed.'))
  expect(upstream.callsTo('GET', '/servers/')).toHaveLength(lists + 1)
})

test('a change that is refused failed, and is not sent again', async () => {
  await using desk = await openRefusing(false)
  const { upstream, upstreamId, actor, serverId } = desk
  const path = `/servers/${upstreamId}/deletecronjob`
  upstream.set('forbidden', { path })
  expect(await runOperation(actor, contract.cron.delete, { serverId }, { line: '7' })).toMatchObject(refused('Not allowed.'))
  expect(upstream.callsTo('POST', path)).toHaveLength(1)
  expect(await auditRows()).toEqual(['cron.delete intent asked', 'cron.delete outcome failed'])
  expect(await desk.states()).toEqual(['working'])
})

test.each([true, false])('a job that is refused fails with the reason of the service, with extensions: %s', async (extensions) => {
  await using desk = await openRefusing(extensions)
  const { upstream, actor, siteId, at } = desk
  upstream.set('forbidden', { path: `${at}/setssl` })
  const started = await startJob(actor, contract.ssl.set, { siteId }, { status: '1' })
  const jobId = started.ok ? started.data.jobId : ''
  await expect.poll(async () => (await findJob(actor, jobId))?.state, patience).toBe('failed')
  expect((await findJob(actor, jobId))?.problem).toMatchObject(refused('Not allowed.').problem)
  expect(await desk.states()).toEqual(['working'])
})

test('a service that refuses its list of sites alone is shown with its servers', async () => {
  await using desk = await openRefusing(false)
  const { upstream, actor } = desk
  upstream.set('forbidden', { path: '/sites' })
  for (const { id } of await db().connection.findMany()) forgetListing(id)
  const { sites, connections } = await listSites(actor)
  expect(connections).toMatchObject([{ state: 'working', problem: refused('Not allowed.').problem }])
  expect(sites.map(({ domain }) => domain)).toEqual(['first.example'])
  expect((await listServers(actor)).connections).toMatchObject([{ state: 'working', problem: null }])
})

test.each(['500-html', 'reset-before', 'rate-limited'] as const)(
  'a list of servers that fails with %s proves nothing against the key',
  async (fault) => {
    await using desk = await openRefusing(false)
    const { upstream, actor, siteId, at } = desk
    upstream.set('forbidden', { path: `${at}/database` })
    upstream.set(fault, { path: '/servers/' })
    expect(await runOperation(actor, contract.database.get, { siteId })).toMatchObject(refused('Not allowed.'))
    expect(await desk.states()).toEqual(['working'])
  },
)

test('a key whose list of servers is refused too is rejected, and its owner told once', async () => {
  await using desk = await openRefusing(false)
  const { upstream, actor, siteId } = desk
  upstream.set('forbidden')
  const reads = [contract.database.get, contract.sites.summary]
  for (const outcome of await Promise.all(reads.map((read) => runOperation(actor, read, { siteId }))))
    expect(outcome).toMatchObject({ problem: { code: 'key_rejected' } })
  expect(await desk.states()).toEqual(['rejected'])
  expect(await desk.notices()).toBe(1)
})
