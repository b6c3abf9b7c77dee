/** What a server did by its own timers is an ended job of the server and an entry in Activity, once, whenever a check of the portal finds it. */
import { expect, test } from 'vitest'
import { contract } from '@/lib/contract'
import { recordAudit } from '@/lib/portal/audit/record'
import { db } from '@/lib/portal/base/db'
import { readJobFilter, whereOf } from '@/lib/portal/jobs/filter'
import { recordServerEvents } from '@/lib/portal/jobs/server-events'
import { findJob, findNewestJob, listJobChoices, listJobs, readJobEvents } from '@/lib/portal/jobs/view'
import { noteServerEvents } from '@/lib/portal/subjects/findings/server-events'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { runOperation } from '@/lib/portal/subjects/spine'
import { readActivity } from '@/lib/portal/views/activity/activity'
import { readFilter } from '@/lib/portal/views/activity/filter'
import { readHome } from '@/lib/portal/views/home/home'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { startUpstream } from '@/tests/support/upstream/upstream'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const ago = (ms: number): string => new Date(Date.now() - ms).toISOString()

type SentEvent = { id: string; kind: string; at: string; outcome: string; detail: string; site: string }

const event = (id: string, more: Partial<SentEvent> = {}): SentEvent => ({
  id,
  kind: 'backup',
  at: ago(60_000),
  outcome: 'done',
  detail: 'The server and 2 sites were backed up.',
  site: '',
  ...more,
})

async function openScene({ extensions = true } = {}) {
  const database = await openPortalDatabase()
  const upstream = await startUpstream({ extensions })
  const upstreamId = upstream.addServer({ name: 'web-01' })
  const team = await createTeam()
  const actor = await team.join('viewer')
  await team.connect(upstream)
  const serverId = (await listServers(actor)).servers[0]?.id ?? ''
  await db().server.update({ where: { id: serverId }, data: { createdAt: new Date(Date.now() - 30 * dayMs) } })
  const jobsFor = async (query: Record<string, string>) =>
    (await listJobs(actor, whereOf(readJobFilter(query), 'UTC'))).map(({ title, state }) => `${title}: ${state}`)
  return {
    upstream,
    team,
    actor,
    serverId,
    jobsFor,
    /** A check of the server that tells of these. */
    async check(...events: unknown[]) {
      const server = upstream.model.servers.get(upstreamId)
      if (!server) throw new Error('The server is not there.')
      server.found = { events: events as SentEvent[] }
      expect(await runOperation(actor, contract.servers.summary, { serverId })).toMatchObject({ ok: true })
      await recordServerEvents()
    },
    activity: async (query: Record<string, string> = {}) => (await readActivity(actor, readFilter(query), 'UTC')).entries,
    async [Symbol.asyncDispose]() {
      await upstream[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

test('each is one ended job and one entry, by the server itself, however often a service names it', async () => {
  await using scene = await openScene()
  const failed = event('b', { outcome: 'failed', detail: 'Missing: shop.' })
  await scene.check(event('a', { at: ago(3 * dayMs) }))
  for (const _ of [1, 2]) await scene.check(event('a', { at: ago(3 * dayMs), detail: 'Told otherwise.' }), failed)
  const jobs = await listJobs(scene.actor)
  expect(jobs).toMatchObject([
    { title: 'Nightly backup of web-01', state: 'failed', startedBy: 'The server', isEvent: true, repeatable: false },
    {
      title: 'Nightly backup of web-01',
      state: 'done',
      startedBy: 'The server',
      startedAt: expect.stringContaining(ago(3 * dayMs).slice(0, 13)),
    },
  ])
  const messages = async (id = '') => (await readJobEvents(scene.actor, id, 0, 10)).map(({ message }) => message)
  expect(await messages(jobs[0]?.id)).toEqual(['Missing: shop.'])
  expect(await messages(jobs[1]?.id)).toEqual(['The server and 2 sites were backed up.'])
  expect(await scene.activity()).toMatchObject([
    { who: 'The server', description: 'Make the nightly backup', result: 'failed', reason: 'Missing: shop.', jobId: jobs[0]?.id },
    {
      who: 'The server',
      target: { name: 'web-01', href: `/servers/${scene.serverId}` },
      result: 'done',
      jobId: jobs[1]?.id,
      // The log has the time at which Gatehouse learned of it.
      description: expect.stringMatching(/^Made the nightly backup on [\d-]+ at [\d:]+ UTC\. The server and 2 sites were backed up$/),
    },
  ])
})

test('the kinds, as titles and sentences: also a reboot that nobody requested, and one that somebody did', async () => {
  await using scene = await openScene()
  await recordAudit({
    teamId: scene.team.id,
    actor: { kind: 'user', id: scene.actor.user.id, sessionId: null },
    action: contract.servers.reboot.id,
    object: { kind: 'server', id: scene.serverId },
    stage: 'intent',
    outcome: 'asked',
  })
  await scene.check(
    event('1', { kind: 'updates', detail: 'libssl3, openssl.' }),
    event('2', { kind: 'renewal', detail: '', site: 'one.example' }),
    event('3', { kind: 'renewal', outcome: 'failed', detail: 'The certificate authority refused it.', site: 'two.example' }),
    event('4', { kind: 'reboot', at: ago(2 * hourMs), detail: '' }),
    event('5', { kind: 'reboot', at: new Date(Date.now() + 60_000).toISOString(), detail: '' }),
  )
  expect((await scene.jobsFor({})).toSorted()).toEqual([
    'Automatic updates on web-01: done',
    'Certificate renewal for one.example: done',
    'Certificate renewal for two.example: failed',
    'Reboot of web-01: done',
    'Reboot of web-01: done',
  ])
  const told = (await scene.activity({ kind: 'servers' })).map(({ description }) => description.replace(/on [\d-]+ at [\d:]+ UTC/, 'then'))
  expect(told.toReversed()).toEqual([
    'Installed updates automatically: libssl3, openssl',
    'Renewed the certificate of one.example',
    'Renew the certificate of two.example',
    'Rebooted the server then. Nobody requested it in Gatehouse',
    'Rebooted the server. As requested in Gatehouse',
  ])
})

test('the filter finds them by kind, server, outcome and time; by a person it finds none', async () => {
  await using scene = await openScene()
  await scene.check(
    event('a', { at: ago(5 * dayMs) }),
    event('b', { outcome: 'failed', detail: 'No room.' }),
    event('c', { kind: 'reboot', detail: '' }),
  )
  const [done, failed] = ['Nightly backup of web-01: done', 'Nightly backup of web-01: failed']
  expect(await scene.jobsFor({ kind: 'event.backup' })).toEqual([failed, done])
  expect(await scene.jobsFor({ kind: 'event.backup', server: scene.serverId, outcome: 'failed' })).toEqual([failed])
  expect(await scene.jobsFor({ kind: 'event.backup', to: ago(4 * dayMs).slice(0, 10) })).toEqual([done])
  expect(await scene.jobsFor({ person: scene.actor.user.id })).toEqual([])
  expect((await listJobChoices(scene.actor)).kinds.map(({ name }) => name)).toEqual(['Nightly backup', 'Reboot'])
})

test('they are in neither Home nor the head of the server, and other teams see none', async () => {
  await using scene = await openScene()
  await scene.check(event('a'), event('b', { outcome: 'failed', detail: 'No room.' }))
  const home = await readHome(scene.actor, 1000)
  expect([home.recent, home.attention.filter(({ key }) => key.startsWith('job'))]).toEqual([[], []])
  expect(await findNewestJob(scene.actor, { serverId: scene.serverId })).toBeNull()
  const stranger = await (await createTeam('Others')).join('owner')
  const id = (await listJobs(scene.actor))[0]?.id ?? ''
  expect([await listJobs(stranger), await findJob(stranger, id)]).toEqual([[], null])
  expect((await readActivity(stranger, readFilter({ kind: 'servers' }), 'UTC')).entries).toEqual([])
})

test('left out: what happened before Gatehouse knew the server, what is too old, and what cannot be read', async () => {
  await using scene = await openScene()
  await scene.check(event('old', { at: ago(15 * dayMs) }), event('x'.repeat(101)), event('fine'))
  expect(await scene.jobsFor({})).toHaveLength(1)
  await db().server.update({ where: { id: scene.serverId }, data: { createdAt: new Date(Date.now() - hourMs) } })
  await scene.check(event('before', { at: ago(2 * hourMs) }), event('after'))
  expect(await scene.jobsFor({})).toHaveLength(2)
  for (const odd of [{ ...event('odd'), kind: 'birthday' }, { ...event('odd'), at: 'yesterday' }, 'odd']) await scene.check(odd)
  expect(await scene.jobsFor({})).toHaveLength(2)
})

test('a service that names other events at each check makes 40 a day', async () => {
  await using scene = await openScene()
  for (let round = 0; round < 5; round++) {
    await scene.check(...Array.from({ length: 40 }, (_, index) => event(`${round}-${index}`)))
  }
  expect(await db().job.count()).toBe(40)
  expect(await db().auditRow.count({ where: { action: 'event.backup' } })).toBe(40)
  await db().job.updateMany({ data: { heardAt: new Date(Date.now() - 2 * dayMs) } })
  await scene.check(event('next'))
  expect(await db().job.count()).toBe(41)
})

test('two processes of the portal that find the same event at once make one job and one entry', async () => {
  await using scene = await openScene()
  const { id: connectionId } = await db().connection.findFirstOrThrow()
  const seen = {
    serverId: scene.serverId,
    connectionId,
    events: [{ ...event('a'), kind: 'backup', outcome: 'done', at: new Date() }],
  } as const
  const record = () => {
    noteServerEvents(seen)
    return recordServerEvents()
  }
  await Promise.all([record(), record(), record()])
  expect([await db().job.count(), await db().auditRow.count({ where: { action: 'event.backup' } })]).toEqual([1, 1])
})

test('a service without extensions, whose members of that name mean something else, shows nothing', async () => {
  await using scene = await openScene({ extensions: false })
  await scene.check(event('a'))
  expect(await db().job.count()).toBe(0)
})
