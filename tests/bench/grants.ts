/** What reads cost a member with 50 grants by labels over ten thousand servers, compared with an owner who sees the same. */
import { setTimeout as pause } from 'node:timers/promises'
import { toColumns } from '@/lib/portal/access/grants/stored'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import type { Estate, Person } from '../browser/security/estate'
import { type Figure, median } from './figure'
import type { Section } from './report'

const [servers, grants, jobs] = [10_000, 50, 2_000]

const reads = [
  ['the list of servers', '/api/servers'],
  ['the counts', '/api/counts'],
  ['the jobs', '/api/jobs'],
  ['Home', '/api/home'],
  ['the notifications', '/api/notifications'],
] as const

const labelOf = (index: number): string => `client-${index % grants}`

/** In parts, because a statement has a limited number of values. */
async function inParts<Row>(rows: readonly Row[], create: (some: Row[]) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < rows.length; at += 500) await create(rows.slice(at, at + 500))
}

async function addServers({ teams: { ours }, owner, place }: Estate): Promise<string[]> {
  for (let index = 0; index < servers; index += 1) ours.upstream.addServer({ name: `web-${index}`, state: 'ready' })
  const where = { teamId: ours.id, goneAt: null }
  // A list that was read a moment ago is not read again, so it takes some seconds until the new servers are in it.
  for (let tries = 0; tries < 60 && (await db().server.count({ where })) < servers; tries += 1) {
    const listed = await fetch(`http://localhost:${place.port}/api/servers`, { headers: { cookie: owner.cookie } })
    await listed.text()
    await pause(2_000)
  }
  const rows = await db().server.findMany({ where, select: { id: true }, orderBy: { id: 'asc' } })
  if (rows.length < servers) throw new Error(`Only ${rows.length} servers were listed.`)
  return rows.map(({ id }) => id)
}

async function addJobs({ teams: { ours }, owner }: Estate, ids: readonly string[]): Promise<void> {
  const now = new Date()
  const common = { teamId: ours.id, connectionId: ours.connectionId, startedById: owner.userId, operation: 'servers.reboot', lease: '' }
  const rows = ids.slice(0, jobs).map((serverId, index) => {
    const startedAt = new Date(now.getTime() - index * 60_000)
    return {
      id: createOpaqueId(),
      ...common,
      serverId,
      targetName: serverId,
      state: 'done' as const,
      startedAt,
      heardAt: now,
      endedAt: now,
    }
  })
  await inParts(rows, (some) => db().job.createMany({ data: some }))
}

/** A viewer who has nothing but the grants. Each server carries the label of one of them. */
async function joinWithGrants(estate: Estate, ids: readonly string[]): Promise<Person> {
  const { teams, join } = estate
  const labels = ids.map((subjectId, index) => ({
    teamId: teams.ours.id,
    subjectKind: 'server' as const,
    subjectId,
    name: labelOf(index),
  }))
  await inParts(labels, (some) => db().label.createMany({ data: some }))
  const member = await join('ours', 'viewer')
  await db().grant.deleteMany({ where: { userId: member.userId } })
  const given = { ...toColumns({ subjects: 'all', effects: ['read'], operations: [], root: false }), validFrom: new Date(0) }
  for (let index = 0; index < grants; index += 1) {
    const row = { id: createOpaqueId(), teamId: teams.ours.id, userId: member.userId, ...given }
    await db().grant.create({ data: { ...row, scopes: { create: { kind: 'label', about: labelOf(index) } } } })
  }
  return member
}

async function timeRead({ place }: Estate, path: string, { cookie }: Person): Promise<number> {
  const since = performance.now()
  const answer = await fetch(`http://localhost:${place.port}${path}`, { headers: { cookie } })
  await answer.text()
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}.`)
  return performance.now() - since
}

/** Whoever works in a team writes: what was read before is kept only until then. A value changes, because nothing is committed otherwise. */
async function write({ teams: { ours } }: Estate): Promise<void> {
  await db().team.updateMany({ where: { id: ours.id }, data: { idleMinutes: { increment: 1 } } })
}

/** Medians in ms. In turns, so that whatever else happens on the machine affects both. */
async function timeBoth(estate: Estate, path: string, member: Person, before: () => Promise<void>) {
  const [own, theirs]: [number[], number[]] = [[], []]
  for (let index = 0; index < 40; index += 1) {
    await before()
    own.push(await timeRead(estate, path, estate.owner))
    await before()
    theirs.push(await timeRead(estate, path, member))
  }
  return [median(own.slice(10)), median(theirs.slice(10))] as const
}

export async function measureGrants(estate: Estate): Promise<Section> {
  const ids = await addServers(estate)
  await addJobs(estate, ids)
  const member = await joinWithGrants(estate, ids)
  const figures: Figure[] = []
  for (const [what, path] of reads) {
    const [least, most] = await timeBoth(estate, path, member, async () => undefined)
    figures.push({ what: `${what}, for an owner`, value: least, unit: 'ms' })
    figures.push({ what: `${what}, for the member`, value: most / least, unit: 'times as long', target: 1.3, floor: 1.3 })
    const [leastAfter, mostAfter] = await timeBoth(estate, path, member, () => write(estate))
    figures.push({ what: `${what} after a write, for an owner`, value: leastAfter, unit: 'ms' })
    figures.push({ what: `${what} after a write, for the member`, value: mostAfter, unit: 'ms' })
  }
  return {
    title: 'Reads of a member with 50 grants',
    how: 'Each grant is over a label, and the labels are on 10,000 servers; the owner and the member read in turns, 40 times each, first with nothing written between, then after a write each. After any write, the grants and labels are read and the right is compiled again, so the member’s next read takes longer.',
    figures,
  }
}
