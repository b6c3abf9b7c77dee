/** The page Reach of a team with 10,000 servers, 51 members and 100,000 entries of the audit log. */
import { randomBytes } from 'node:crypto'
import { fullColumns, toColumns } from '@/lib/portal/access/grants/stored'
import { chainMac, chainStart } from '@/lib/portal/audit/chain'
import { db } from '@/lib/portal/base/db'
import { slicesOf } from '@/lib/portal/base/turns'
import { findOrCreateSecret } from '@/lib/portal/custody/secrets'
import type { Estate } from '../browser/security/estate'
import { findHolder } from '../support/claimant'
import { type Figure, quantile } from './figure'
import { addMembers } from './members'
import { readCpuMs } from './process-stat'
import type { Section } from './report'

const [servers, entries] = [10_000, 100_000]

const newId = () => randomBytes(16).toString('base64url')

/** Servers of a service that nobody asks, with a site on every tenth. Nine of ten have a label. */
async function addServers({ teams: { ours } }: Estate): Promise<string[]> {
  const now = new Date()
  const common = { teamId: ours.id, origin: 'https://service.example', listedAt: now }
  const ids = Array.from({ length: servers }, newId)
  for (const some of slicesOf(ids, 1_000)) {
    await db().server.createMany({ data: some.map((id) => ({ id, upstreamId: id, name: `web-${id}`, hostname: '', dns: '', ...common })) })
    await db().serverOnConnection.createMany({
      data: some.map((serverId) => ({ serverId, connectionId: ours.connectionId, provenAt: now })),
    })
    const sites = some.filter((_, index) => index % 10 === 0).map((serverId) => ({ id: newId(), serverId }))
    await db().site.createMany({ data: sites.map((site) => ({ ...site, upstreamId: site.id, domain: `${site.id}.example`, ...common })) })
    await db().siteOnConnection.createMany({
      data: sites.map(({ id: siteId }) => ({ siteId, connectionId: ours.connectionId, provenAt: now })),
    })
    const labelled = some.filter((_, index) => index % 10 > 0)
    await db().label.createMany({
      data: labelled.map((subjectId) => ({ teamId: ours.id, subjectKind: 'server' as const, subjectId, name: 'client' })),
    })
  }
  return ids
}

/** Everything for each member, and for the last of them fifty servers by name and those with the label. Gives that member. */
async function giveAccess({ teams: { ours }, owner }: Estate, ids: readonly string[]): Promise<string> {
  const members = await db().membership.findMany({ where: { teamId: ours.id, userId: { not: owner.userId } } })
  const last = members.at(-1)?.userId ?? ''
  const common = { teamId: ours.id, validFrom: new Date(0) }
  const give = (userId: string, kind: 'everything' | 'server' | 'label', about: string) => {
    const work =
      kind === 'everything' ? fullColumns : toColumns({ subjects: ['backups', 'logs'], effects: ['read'], operations: [], root: false })
    return db().grant.create({ data: { id: newId(), ...common, ...work, userId, scopes: { create: { kind, about } } } })
  }
  for (const { userId } of members) if (userId !== last) await give(userId, 'everything', '')
  for (const id of ids.slice(0, 50)) await give(last, 'server', id)
  await give(last, 'label', 'client')
  return last
}

/** What the members did to the servers within the last half year, chained as the portal does. */
async function addEntries({ teams: { ours } }: Estate, ids: readonly string[]): Promise<void> {
  const members = await db().membership.findMany({ where: { teamId: ours.id }, orderBy: { userId: 'asc' } })
  const secret = await findOrCreateSecret('audit')
  const last = await db().auditRow.findFirst({ orderBy: { seq: 'desc' } })
  const actions = ['servers.reboot', 'servers.applyUpdates', 'cron.save', 'firewall.saveRule', 'users.save']
  let [prev, at] = [last?.mac ?? chainStart, Date.now() - 180 * 86_400_000]
  const rows = Array.from({ length: entries }, (_, index) => {
    at += (180 * 86_400_000) / entries
    const done = {
      action: actions[index % actions.length] ?? '',
      objectKind: 'server',
      objectId: ids[(index * 7) % servers] ?? '',
    } as const
    const actor = { actorKind: 'user', actorId: members[index % members.length]?.userId ?? '', sessionId: null } as const
    const place = { teamId: ours.id, connectionId: ours.connectionId }
    const entry = { seq: (last?.seq ?? 0) + 1 + index, at: new Date(Math.floor(at)), requestId: newId(), ...place, ...actor, ...done }
    const row = { ...entry, stage: 'intent', outcome: 'asked', detail: '{}', prev, macKeyId: secret.id } as const
    prev = chainMac(secret.key, row)
    return { ...row, mac: prev }
  })
  for (const some of slicesOf(rows, 1_000)) await db().auditRow.createMany({ data: [...some] })
}

/** Milliseconds of each of ten requests, after three that are not counted, and the portal’s processor time for one of them. */
async function time({ owner, place }: Estate, path: string): Promise<{ took: number[]; cpu: number }> {
  const pid = findHolder(place, 'portal')
  const took: number[] = []
  let before = 0
  for (let index = 0; index < 13; index += 1) {
    if (index === 3) before = readCpuMs(pid)
    const since = performance.now()
    const answer = await fetch(`http://localhost:${place.port}${path}`, { headers: { cookie: owner.cookie } })
    await answer.text()
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}.`)
    took.push(performance.now() - since)
  }
  return { took: took.slice(3), cpu: (readCpuMs(pid) - before) / 10 }
}

export async function measureReach(estate: Estate): Promise<Section> {
  await addMembers(estate, 50)
  const ids = await addServers(estate)
  const member = await giveAccess(estate, ids)
  await addEntries(estate, ids)
  const { connectionId } = estate.teams.ours
  const ofConnection = `/reach?of=connection&id=${connectionId}`
  const pages = [
    ['a connection that lists all of them', ofConnection],
    ['a member with 51 grants', `/reach?of=member&id=${member}`],
    ['a server', `/reach?of=server&id=${estate.serverId}`],
    ['a connection, filtered by a name', `${ofConnection}&text=web-a`],
    ['what if a member is removed', `/reach?of=member&id=${member}&if=removeMember&member=${member}`],
  ] as const
  const figures: Figure[] = []
  for (const [what, path] of pages) {
    const { took, cpu } = await time(estate, path)
    figures.push({ what: `${what}, median`, value: quantile(took, 0.5), unit: 'ms', target: 1000, floor: 1000 })
    figures.push({ what: `${what}, processor time`, value: cpu, unit: 'ms' })
  }
  return {
    title: `Reach over ${servers.toLocaleString('en')} servers`,
    how: 'The owner opens the page Reach: 50 members, 10,000 servers and 1,000 sites of one connection, 100,000 entries of the audit log.',
    figures,
  }
}
