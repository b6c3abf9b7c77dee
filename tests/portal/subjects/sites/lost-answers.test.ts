/** Changes to a site whose answer was lost: a read settles them, and nothing is sent twice. */
import { expect, test } from 'vitest'
import { contract } from '@/lib/contract'
import { problem } from '@/lib/contract/problem'
import { db } from '@/lib/portal/base/db'
import { readBack } from '@/lib/portal/jobs/relay/read-back'
import { startJob } from '@/lib/portal/jobs/start'
import { findJob } from '@/lib/portal/jobs/view'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { listSites } from '@/lib/portal/subjects/sites/list'
import { shownChanges } from '@/lib/portal/subjects/sites/shown-changes'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import type { Fault } from '@/tests/support/upstream/faults'
import type { UpstreamSite } from '@/tests/support/upstream/model'
import { startUpstream } from '@/tests/support/upstream/upstream'

const patience = { timeout: 20_000 }

async function openScene(given: Partial<UpstreamSite> = {}) {
  const database = await openPortalDatabase()
  const upstream = await startUpstream()
  upstream.addServer({ name: 'web-01' })
  const id = upstream.addSite({ domain: 'first.example', aliases: ['old.example'], ...given })
  const team = await createTeam()
  const actor = await team.join('operator')
  await team.connect(upstream)
  await listServers(actor)
  const siteId = (await listSites(actor)).sites[0]?.id ?? ''
  const site = upstream.model.sites.get(id)
  if (!site) throw new Error('The site is gone.')
  return {
    upstream,
    actor,
    siteId,
    site,
    path: `/sites/${id}`,
    async run(name: Change) {
      const { operation, fields } = changes[name]
      const started = await startJob(actor, operation, { siteId }, fields)
      if (!started.ok) throw new Error(started.problem.sentence)
      const { jobId } = started.data
      const end = async () => {
        await expect.poll(async () => (await findJob(actor, jobId))?.endedAt ?? null, patience).not.toBeNull()
        return findJob(actor, jobId)
      }
      return { jobId, end }
    },
    async [Symbol.asyncDispose]() {
      await upstream[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

const changes = {
  'SSL is switched on': { operation: contract.ssl.set, fields: { status: '1' }, posts: 'setssl', shown: shownChanges.ssl },
  'email is switched on': { operation: contract.email.set, fields: { status: '1' }, posts: 'setemail', shown: shownChanges.email },
  'an alias is added': {
    operation: contract.aliases.save,
    fields: { alias: 'new.example' },
    posts: 'savealias',
    shown: shownChanges.aliasAdded,
  },
  'an alias is deleted': {
    operation: contract.aliases.delete,
    fields: { alias: 'old.example' },
    posts: 'deletealias',
    shown: shownChanges.aliasRemoved,
  },
}

type Change = keyof typeof changes

const each = Object.keys(changes) as Change[]

const isMade = ({ ssl, email, aliases }: UpstreamSite, name: Change): boolean =>
  ({
    'SSL is switched on': ssl,
    'email is switched on': email,
    'an alias is added': aliases.includes('new.example'),
    'an alias is deleted': !aliases.includes('old.example'),
  })[name]

const lost: readonly Fault[] = ['reset-after', 'html-after', 'empty-after', 'truncated-after', '302-after', '303-after', '500-after']

test.each(each.flatMap((name) => lost.map((fault) => [name, fault] as const)))(
  '%s, and the answer is lost (%s): the next read shows it, so it is done',
  async (name, fault) => {
    await using scene = await openScene()
    const { upstream, site, path, run } = scene
    const { posts } = changes[name]
    upstream.set(fault, { path: `${path}/${posts}` })
    const { jobId, end } = await run(name)
    expect(await end()).toMatchObject({ state: 'done', problem: null })
    expect([isMade(site, name), upstream.callsTo('POST', `${path}/${posts}`).length]).toEqual([true, 1])
    const outcomes = async () => (await db().auditRow.findMany({ where: { requestId: jobId } })).map(({ outcome }) => outcome)
    await expect.poll(outcomes, patience).toEqual(['asked', 'done'])
  },
)

test('a gateway gives up before the service is done: the reads that follow show when it is', async () => {
  await using scene = await openScene()
  const { actor, upstream, site, path, run } = scene
  upstream.set('502-html', { path: `${path}/setssl` })
  const { jobId, end } = await run('SSL is switched on')
  await expect.poll(() => upstream.callsTo('GET', `${path}/settings`).length, patience).toBeGreaterThan(1)
  expect(await findJob(actor, jobId)).toMatchObject({ state: 'running' })
  site.ssl = true
  expect(await end()).toMatchObject({ state: 'done', problem: null })
})

const unknown = { state: 'unknown', problem: problem('outcome_unknown') } as const

/** What comes of a job that ended unknown, read once more. */
async function readOnce(name: Change, jobId: string) {
  const row = await db().job.findUniqueOrThrow({ where: { id: jobId } })
  const connection = await db().connection.findFirst()
  return (await readBack({ row, connection }, changes[name].shown, unknown, 0)).state
}

test.each(each)('%s, but no read shows it: its outcome stays unknown', async (name) => {
  await using scene = await openScene()
  const { upstream, site, run } = scene
  const { jobId, end } = await run(name)
  await end()
  expect(await readOnce(name, jobId)).toBe('done')
  // As it was before.
  ;[site.ssl, site.email, site.aliases] = [false, false, ['old.example']]
  expect(await readOnce(name, jobId)).toBe('unknown')
  upstream.set('500-json')
  expect(await readOnce(name, jobId)).toBe('unknown')
})

test('an alias that is missing from a list of which a part cannot be read may still be there', async () => {
  await using scene = await openScene()
  const { site, run } = scene
  const { jobId, end } = await run('an alias is deleted')
  await end()
  site.aliases = ['', 'other.example']
  expect(await readOnce('an alias is deleted', jobId)).toBe('unknown')
})

test('SSL that was on before proves no renewal, only a newer certificate does', async () => {
  const day = 86_400_000
  const settings = { issued: new Date(Date.now() - day).toISOString(), expires: new Date(Date.now() + day).toISOString() }
  await using scene = await openScene({ ssl: true, settings })
  const { site, run } = scene
  const { jobId, end } = await run('SSL is switched on')
  await end()
  expect(await readOnce('SSL is switched on', jobId)).toBe('unknown')
  site.settings = { ...settings, issued: new Date(Date.now() + 1000).toISOString() }
  expect(await readOnce('SSL is switched on', jobId)).toBe('done')
})

test('a deletion that was made and is said to have failed is failed, and the list is read again at once: it shows that the site is gone', async () => {
  await using scene = await openScene()
  const { actor, upstream, siteId, path } = scene
  upstream.set('500-failed-after', { path: `${path}/delete` })
  const lists = upstream.callsTo('GET', '/sites').length
  const started = await startJob(actor, contract.sites.delete, { siteId }, {}, { confirmName: 'first.example' })
  const jobId = started.ok ? started.data.jobId : ''
  await expect.poll(async () => (await findJob(actor, jobId))?.state, patience).toBe('failed')
  const sentence = 'The service could not do this: \u2068No mail could be sent.\u2069'
  expect((await findJob(actor, jobId))?.problem).toMatchObject({ code: 'upstream_failed', sentence })
  await expect.poll(() => upstream.callsTo('GET', '/sites').length, patience).toBe(lists + 1)
  expect((await listSites(actor)).sites).toEqual([])
})
