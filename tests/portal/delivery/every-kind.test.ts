/** What happens, as Gatehouse notices it, reaches a real receiver by its topic and by no other. */
import { expect, test } from 'vitest'
import { contract } from '@/lib/contract'
import { db } from '@/lib/portal/base/db'
import type { Person } from '@/lib/portal/identity/actor'
import { recordEnd } from '@/lib/portal/jobs/relay/record-end'
import { recordServerEvents } from '@/lib/portal/jobs/server-events'
import { noteServerEvents } from '@/lib/portal/subjects/findings/server-events'
import { runOperation } from '@/lib/portal/subjects/spine'
import { approveRequest } from '@/lib/portal/subjects/team/requests/answer'
import { askForAccess } from '@/lib/portal/subjects/team/requests/ask'
import { raise } from '@/lib/portal/views/home/raise'
import { approve, heldIdOf, openScene, type Scene } from '@/tests/portal/approvals/scene'
import { startHookReceiver } from '@/tests/support/hook-receiver'
import { inputOf } from '@/tests/support/own-input'
import { add, everyTopic, hour, limitTo, minute, startClock } from './scene'

const ago = (ms: number): Date => new Date(Date.now() - ms)

const find = (scene: Scene, kind: 'unreachable' | 'security_updates' | 'failing_certificates', detail: string) =>
  db().finding.create({ data: { serverId: scene.idOf('alpha'), kind, since: ago(40 * hour), detail } })

/** The newest samples of a server. */
const sample = ({ idOf }: Scene, disk: { diskUsed?: number; diskTotal?: number } = {}) =>
  db().sample.createMany({
    data: [30, 20, 12, 1].map((minutes) => ({
      serverId: idOf('alpha'),
      reachable: true,
      at: Math.floor(Date.now() / minute) - minutes,
      ...disk,
    })),
  })

async function fail({ team, idOf }: Scene, operation: string): Promise<void> {
  const job = { id: 'j'.repeat(22), teamId: team.id, operation, serverId: idOf('alpha'), targetName: 'alpha', lease: '' }
  await db().job.create({ data: { ...job, state: 'failed', heardAt: new Date() } })
  await recordEnd({ jobId: job.id }, { state: 'failed', problem: null })
}

async function ask({ idOf, asker }: Scene): Promise<string> {
  const siteId = idOf('shop.example')
  await limitTo(asker, idOf('alpha'))
  const fields = {
    place: `site ${siteId}`,
    what: 'apps destroy',
    minutes: '60',
    why: 'The new shop goes live',
    page: `/sites/${siteId}/app`,
  }
  const asked = await askForAccess(inputOf(asker, fields))
  if (!asked.ok) throw new Error(asked.problem.sentence)
  return asked.data.accessRequestId
}

async function answer(scene: Scene): Promise<void> {
  await db().team.update({ where: { id: scene.team.id }, data: { secondPersonFor: '' } })
  const accessRequestId = await ask(scene)
  const until = new Date(Date.now() + hour).toISOString()
  const what = { subjects: 'apps', effects: 'read,destroy', root: '', where: 'site', placeId: scene.idOf('shop.example'), why: '' }
  expect(await approveRequest(inputOf(scene.owner, { ...what, until, accessRequestId }))).toMatchObject({ ok: true })
}

type Case = { topic: string; reader: 'owner' | 'asker'; says: RegExp; happen: (scene: Scene) => Promise<unknown> }

const cases: Readonly<Record<string, Case>> = {
  'approval wanted': {
    topic: 'approvals',
    reader: 'owner',
    says: /^The operator needs a second person: /,
    happen: ({ ask: asks }) => asks.setPassword(),
  },
  'approval given': {
    topic: 'approvals',
    reader: 'asker',
    says: /^The admin approved what you asked for: /,
    happen: async ({ ask: asks, approver }) => approve(approver, heldIdOf(await asks.setPassword())),
  },
  'access asked for': { topic: 'approvals', reader: 'owner', says: /^The operator asks for access to /, happen: ask },
  'access answered': { topic: 'approvals', reader: 'asker', says: /^The owner approved your request for access/, happen: answer },
  'access ending': {
    topic: 'access',
    reader: 'asker',
    says: /^Your access to .* ends on /,
    happen: async ({ asker }) => {
      const until = new Date(Date.now() + 20 * hour)
      await db().grant.updateMany({ where: { userId: asker.user.id }, data: { validFrom: ago(72 * hour), until } })
      await raise()
    },
  },
  'server unreachable': {
    topic: 'servers',
    reader: 'owner',
    says: /^alpha has been unreachable for 5 minutes\.$/,
    happen: async (scene) => {
      await find(scene, 'unreachable', 'No answer.')
      await raise()
    },
  },
  'server back': {
    topic: 'servers',
    reader: 'owner',
    says: /^alpha is reachable again\. \(2\)$/,
    happen: async (scene) => {
      await find(scene, 'unreachable', 'No answer.')
      await raise()
      await db().finding.deleteMany()
      await raise()
    },
  },
  'job failed': { topic: 'jobs', reader: 'owner', says: /alpha failed/, happen: (scene) => fail(scene, contract.servers.install.id) },
  'backup failed': { topic: 'backups', reader: 'owner', says: /failed/, happen: (scene) => fail(scene, contract.backups.create.id) },
  'nightly backup failed': {
    topic: 'backups',
    reader: 'owner',
    says: /^Nightly backup of alpha failed\.$/,
    happen: async ({ idOf, connectionId }) => {
      await db().server.updateMany({ data: { createdAt: ago(100 * hour) } })
      const event = { id: 'e', kind: 'backup', at: ago(hour), outcome: 'failed', detail: 'Missing: shop.', site: '' } as const
      noteServerEvents({ serverId: idOf('alpha'), connectionId, events: [event] })
      await recordServerEvents()
    },
  },
  'backup late': {
    topic: 'backups',
    reader: 'owner',
    says: /^alpha made no nightly backup since /,
    happen: async (scene) => {
      const [at, serverId] = [ago(40 * hour), scene.idOf('alpha')]
      const job = { id: 'b', teamId: scene.team.id, operation: 'event.backup', serverId, targetName: 'alpha', lease: '' }
      await db().job.create({ data: { ...job, state: 'done', startedAt: at, heardAt: at, endedAt: at } })
      await sample(scene)
      await raise()
    },
  },
  'certificate ending': {
    topic: 'certificates',
    reader: 'owner',
    says: /^The certificate of shop\.example ends on /,
    happen: async ({ idOf }) => {
      const expires = new Date(Date.now() + 200 * hour).toISOString()
      await db().site.updateMany({ where: { id: idOf('shop.example') }, data: { ssl: 'on', expires } })
      await raise()
    },
  },
  'certificate not renewed': {
    topic: 'certificates',
    reader: 'owner',
    says: /shop\.example could not be renewed/,
    happen: async (scene) => {
      await find(scene, 'failing_certificates', 'shop.example')
      await raise()
    },
  },
  'disk full soon': {
    topic: 'disks',
    reader: 'owner',
    says: /^The disk of alpha is nearly full\.$/,
    happen: async (scene) => {
      await sample(scene, { diskUsed: 95, diskTotal: 100 })
      await raise()
    },
  },
  'key refused': {
    topic: 'connections',
    reader: 'owner',
    says: /^The service no longer accepts the API key of /,
    happen: ({ upstream, owner, idOf }) => {
      upstream.set('unauthorized')
      return runOperation(owner, contract.servers.summary, { serverId: idOf('alpha') })
    },
  },
  'updates waiting': {
    topic: 'updates',
    reader: 'owner',
    says: /^3 security updates of alpha have been waiting /,
    happen: async (scene) => {
      await find(scene, 'security_updates', '3')
      await raise()
    },
  },
}

test.each(Object.entries(cases))('%s', async (_name, { topic, reader, says, happen }) => {
  await using scene = await openScene()
  await using receiver = await startHookReceiver()
  const person: Person = scene[reader]
  const others = everyTopic.split(',').filter((each) => each !== topic)
  await add(person, { kind: 'webhook', url: `${receiver.origin}/of-the-topic`, topics: topic })
  await add(person, { kind: 'webhook', url: `${receiver.origin}/of-the-others`, topics: others.join(',') })
  await happen(scene)
  await startClock().pass(5 * minute)
  const lines = (path: string) =>
    receiver.received
      .filter((got) => got.path === path)
      .flatMap(({ body }): { text: string; times: number }[] => JSON.parse(body).events)
      .map(({ text, times }) => (times === 1 ? text : `${text} (${times})`))
  expect(lines('/of-the-topic')).toEqual([expect.stringMatching(says)])
  expect(lines('/of-the-others')).toEqual([])
})
