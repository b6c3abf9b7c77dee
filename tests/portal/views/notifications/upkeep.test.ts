/** Notifications of what was not done on servers: nightly backups, security updates, renewals. Once each, and again after a recovery. */
import { expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { recordServerEvents } from '@/lib/portal/jobs/server-events'
import { noteServerEvents } from '@/lib/portal/subjects/findings/server-events'
import { raiseCertificateEndings, raiseLateBackups, raiseWaitingUpdates } from '@/lib/portal/views/home/raise-upkeep'
import { listNotifications } from '@/lib/portal/views/notifications/list'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { createServer } from '../../delivery/servers'

const hour = 3_600_000
const day = 24 * hour
const now = new Date()
const ago = (ms: number) => new Date(now.getTime() - ms)

async function openScene() {
  const database = await openPortalDatabase()
  const team = await createTeam()
  const actor = await team.join('viewer')
  const serverId = await createServer(team.id, 'web-1', ['shop.example'])
  return {
    team,
    serverId,
    texts: async () => (await listNotifications(actor)).items.map(({ text }) => text),
    backUp: (at: Date, state: 'done' | 'failed' = 'done') =>
      db().job.create({
        data: {
          id: `backup ${at.toISOString()}`,
          teamId: team.id,
          operation: 'event.backup',
          serverId,
          targetName: 'web-1',
          state,
          lease: '',
          startedAt: at,
          heardAt: at,
          endedAt: at,
        },
      }),
    check: (at: Date, reachable = true) => db().sample.create({ data: { serverId, at: Math.floor(at.getTime() / 60_000), reachable } }),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
}

test('a server whose last nightly backup is older than a night is announced once, if it was checked, and again after another one', async () => {
  await using scene = await openScene()
  await scene.backUp(ago(40 * hour))
  await raiseLateBackups(now)
  // Nobody asked it since: what it did is unknown.
  expect(await scene.texts()).toEqual([])
  await scene.check(ago(20 * 60_000), false)
  await raiseLateBackups(now)
  expect(await scene.texts()).toEqual([])
  await scene.check(ago(15 * 60_000))
  for (const _ of [1, 2]) await raiseLateBackups(now)
  expect(await scene.texts()).toEqual([expect.stringMatching(/^web-1 made no nightly backup since \d+ \w+ \d{4}\.$/)])
  await scene.backUp(ago(37 * hour))
  await raiseLateBackups(now)
  expect(await scene.texts()).toHaveLength(2)
  await scene.backUp(ago(hour))
  await raiseLateBackups(new Date(now.getTime() + hour))
  expect(await scene.texts()).toHaveLength(2)
})

test('a server that never told of a backup, or long ago, is not announced', async () => {
  await using scene = await openScene()
  await scene.check(ago(15 * 60_000))
  await raiseLateBackups(now)
  await scene.backUp(ago(15 * day))
  await raiseLateBackups(now)
  expect(await scene.texts()).toEqual([])
})

test('a nightly backup that failed is announced once, an old one is not', async () => {
  await using scene = await openScene()
  await db().connection.updateMany({ data: { extensions: true } })
  await db().server.updateMany({ data: { createdAt: ago(30 * day) } })
  const event = { kind: 'backup', outcome: 'failed', detail: 'Missing: shop.', site: '' } as const
  const { connectionId } = await db().serverOnConnection.findFirstOrThrow()
  for (const _ of [1, 2]) {
    const events = [
      { ...event, id: 'new', at: ago(hour) },
      { ...event, id: 'old', at: ago(5 * day) },
    ]
    noteServerEvents({ serverId: scene.serverId, connectionId, events })
    await recordServerEvents()
  }
  expect(await scene.texts()).toEqual(['Nightly backup of web-1 failed.'])
})

test('security updates that wait for more than a day are announced once, and again when others wait after they were installed', async () => {
  await using scene = await openScene()
  const wait = (since: Date, detail: string) =>
    db().finding.create({ data: { serverId: scene.serverId, kind: 'security_updates', since, detail } })
  await wait(ago(20 * hour), '2')
  await raiseWaitingUpdates(now)
  expect(await scene.texts()).toEqual([])
  for (const later of [20, 21]) await raiseWaitingUpdates(new Date(now.getTime() + later * hour))
  expect(await scene.texts()).toEqual(['2 security updates of web-1 have been waiting for more than a day.'])
  await db().finding.deleteMany()
  await wait(ago(-30 * hour), '1')
  await raiseWaitingUpdates(new Date(now.getTime() + 70 * hour))
  expect(await scene.texts()).toHaveLength(2)
})

test('a certificate that ends within 14 days is announced once to those who see the site, and the next one again', async () => {
  await using scene = await openScene()
  const guest = await scene.team.join('guest')
  const until = (at: Date) => db().site.updateMany({ data: { ssl: 'on', expires: at.toISOString() } })
  await until(ago(-20 * day))
  await raiseCertificateEndings(now)
  expect(await scene.texts()).toEqual([])
  for (const later of [7, 8]) await raiseCertificateEndings(new Date(now.getTime() + later * day))
  expect(await scene.texts()).toEqual([expect.stringMatching(/^The certificate of shop\.example ends on \d+ \w+ \d{4}\.$/)])
  expect((await listNotifications(guest)).items).toEqual([])
  await until(ago(-110 * day))
  await raiseCertificateEndings(new Date(now.getTime() + 9 * day))
  expect(await scene.texts()).toHaveLength(1)
  await raiseCertificateEndings(new Date(now.getTime() + 100 * day))
  expect(await scene.texts()).toHaveLength(2)
})
