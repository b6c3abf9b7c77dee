/** Every page and answer for those who may see one server or none, searched by bytes for everything else of the team. */
import { expect, test } from 'vitest'
import { operations } from '@/lib/contract'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import { slicesOf } from '@/lib/portal/base/turns'
import { notify } from '@/lib/portal/notifications/notify'
import { freeze, giveEnded, grantAt, lendTo, listOnlyBy } from './access-actors'
import type { Estate, Person } from './estate'
import { freshChannel, freshConnection, freshServer } from './permission-cases'

/** Texts that only those see who see the server of the estate. */
const words = {
  label: 'label of the lantern',
  asked: 'asked for the lantern',
  held: 'held for the lantern',
  channel: 'channel of the lantern',
  told: 'told of the lantern',
}

type Own = { person: Person; serverId?: string; serverName?: string }

/** What there is of the server besides what the estate has: a label, a request for access, one that was held, a channel of the team. */
async function leaveTraces(estate: Estate): Promise<{ heldId: string }> {
  const { teams, serverId, siteId, siteDomain, owner } = estate
  const teamId = teams.ours.id
  await db().label.create({ data: { teamId, subjectKind: 'server', subjectId: serverId, name: words.label } })
  const id = createOpaqueId()
  const asked = { placeKind: 'site', placeId: siteId, subject: 'logs', effects: 'read', page: `/sites/${siteId}` } as const
  const asker = { userId: (await estate.join('ours', 'viewer')).userId, openKey: id, expiresAt: new Date(Date.now() + 3_600_000) }
  await db().accessRequest.create({ data: { id, teamId, ...asker, ...asked, why: words.asked } })
  const heldId = createOpaqueId()
  const held = { kind: 'operation', action: 'sites.delete', siteId, targetName: siteDomain, digest: 'x', askedAt: new Date() } as const
  const refused = { state: 'refused', reason: words.held, decidedById: owner.userId, decidedAt: new Date(), endedAt: new Date() } as const
  const by = { askedById: owner.userId, sessionId: owner.sessionId }
  await db().heldRequest.create({ data: { id: heldId, teamId, ...held, ...refused, ...by } })
  const { channelId } = await freshChannel(estate)
  await db().channel.update({ where: { id: channelId ?? '' }, data: { label: words.channel } })
  return { heldId }
}

/** Guests: without access, with access to a server of their own, after the end of it, through a lent connection, and through a frozen one. */
async function gatherOwn(estate: Estate): Promise<Record<string, Own>> {
  const join = () => estate.join('ours', 'guest')
  const withServer = async (): Promise<Required<Own>> => {
    const [person, { serverId, confirmName }] = [await join(), await freshServer(estate)]
    await grantAt(estate, person, { kind: 'server', id: serverId })
    return { person, serverId, serverName: confirmName }
  }
  const [guest, expired, elsewhere, lent, frozen] = [await join(), await join(), await withServer(), await withServer(), await withServer()]
  await giveEnded(estate, expired)
  const { connectionId: lentId = '' } = await freshConnection(estate, estate.owner.userId)
  await lendTo(estate, lent.person, lentId)
  await listOnlyBy(lentId, { kind: 'server', id: lent.serverId })
  const { connectionId: frozenId = '' } = await freshConnection(estate)
  await listOnlyBy(frozenId, { kind: 'server', id: frozen.serverId })
  await freeze(estate, frozenId)
  return { guest: { person: guest }, expired: { person: expired }, elsewhere, lent, frozen }
}

/** Every route and read with the ids of the estate, those of somebody's own server, and what is asked for in queries. */
function addressesOf({ routes, pathOf, serverId, siteId, teams }: Estate, heldId: string, own: Own): string[] {
  const of = { heldId, connectionId: teams.ours.connectionId }
  const asked = routes.filter((route) => !route.startsWith('/api/auth') && !route.startsWith('/api/health'))
  const ofServer = own.serverId === undefined ? [] : asked.filter((route) => route.includes('[serverId]'))
  const reaches = [
    ['server', serverId],
    ['site', siteId],
    ['connection', of.connectionId],
    ['member', own.person.userId],
  ]
  return [
    ...asked.map((route) => pathOf(route, of)),
    ...ofServer.map((route) => pathOf(route, { ...of, serverId: own.serverId ?? '' })),
    ...reaches.flatMap(([kind, id]) => [`/reach?of=${kind}&id=${id}`, `/api/reach/csv?of=${kind}&id=${id}`]),
    ...operations.map(({ id }) => `/api/operations/${id}?server=${serverId}&site=${siteId}&log=syslog`),
    ...[serverId, own.serverId ?? ''].map((id) => `/api/jobs?server=${id}`),
    '/servers?text=lantern',
    '/sites?text=lantern',
    '/activity?text=lantern',
    '/jobs?text=lantern',
    '/api/domain-check?domain=first.example',
  ]
}

export function sight(estate: Estate): void {
  const { caller, serverId, siteId, jobId, batchId, serverName, siteDomain } = estate

  test('security 3: no page, read, stream, CSV or search shows the rest to a guest, with other access, after its end, lent or frozen', async () => {
    const [{ heldId }, actors] = [await leaveTraces(estate), await gatherOwn(estate)]
    const names = [serverName, siteDomain, ...Object.values(words)]
    const ids = [serverId, siteId, jobId, batchId, heldId]
    const readAll = async (own: Own) => {
      const detail = { name: words.told }
      const subject = { kind: 'server', id: serverId } as const
      const told = { teamId: estate.teams.ours.id, userIds: [own.person.userId], kind: 'server_unreachable', detail, subject } as const
      await notify({ ...told, onceKey: createOpaqueId() })
      const answers: { path: string; text: string }[] = []
      for (const some of slicesOf(addressesOf(estate, heldId, own), 4)) {
        const read = some.map(async (path) => ({ path, text: (await caller.call(path, { cookie: own.person.cookie })).text }))
        answers.push(...(await Promise.all(read)))
      }
      return answers
    }
    // What is searched for is there for whoever sees everything.
    const all = (await readAll({ person: estate.owner })).map(({ text }) => text).join('')
    expect([...names, ...ids].filter((text) => !all.includes(text))).toEqual([])
    for (const [who, own] of Object.entries(actors)) {
      const answers = await readAll(own)
      const found = answers.flatMap(({ path, text }) => [
        ...names.filter((name) => text.includes(name)).map((name) => [who, path, name]),
        // An address may be repeated to whoever sent it.
        ...ids.filter((id) => !path.includes(id) && text.includes(id)).map((id) => [who, path, id]),
      ])
      expect(found).toEqual([])
      const { serverName: ownName } = own
      if (ownName !== undefined) expect([who, answers.some(({ text }) => text.includes(ownName))]).toEqual([who, true])
    }
  }, 600_000)
}
