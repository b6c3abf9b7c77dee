/** The table of a stored team: it says what each request is answered, and after a change that is saved what it said before as “what if”. */
import { expect, test } from 'vitest'
import { operations } from '@/lib/contract'
import type { Effect } from '@/lib/contract/operation'
import { decide } from '@/lib/portal/access/decide'
import type { GrantScope } from '@/lib/portal/access/grants/grant'
import { targetKindOf } from '@/lib/portal/access/grants/needs'
import { toColumns, toScopeRow } from '@/lib/portal/access/grants/stored'
import { applyChange, type ReachChange } from '@/lib/portal/access/reach/change'
import { computeReach, includes, type ReachRow } from '@/lib/portal/access/reach/compute'
import { readReachTeam } from '@/lib/portal/access/reach/read'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import type { Person, Role } from '@/lib/portal/identity/actor'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { listSites } from '@/lib/portal/subjects/sites/list'
import { endAccess, giveAccess } from '@/lib/portal/subjects/team/access/change'
import { changeRole, removeMember, setMembershipEnd } from '@/lib/portal/subjects/team/change-member'
import { inputOf } from '@/tests/support/own-input'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { type Chance, openChance, seededRuns } from '@/tests/support/seeds'
import { startUpstream } from '@/tests/support/upstream/upstream'

const effects = ['read', 'export', 'change', 'destroy'] as const
const subjects = [...new Set(operations.map(({ subject }) => subject))]

/** Two services: one is the team’s and one an operator’s own; each lists two servers with a site. Grants and loans are made by chance. */
async function openTeam(chance: Chance) {
  const database = await openPortalDatabase()
  const upstreams = [await startUpstream({ extensions: true }), await startUpstream({ extensions: true })] as const
  for (const [index, upstream] of upstreams.entries()) {
    for (const each of [1, 2]) {
      const server = upstream.addServer({ name: `server-${index}${each}` })
      upstream.addSite({ domain: `site-${index}${each}.example`, server })
    }
  }
  const team = await createTeam()
  const owner = await team.join('owner')
  const members = [await team.join('operator'), await team.join('operator'), await team.join('viewer'), await team.join('guest')]
  const lender = members[0]
  if (!lender) throw new Error('There is no lender.')
  await team.connect(upstreams[0])
  const connectionId = await team.connect(upstreams[1], { ownerId: lender.user.id })
  for (const actor of [owner, lender]) {
    await listServers(actor)
    await listSites(actor)
  }
  const [servers, sites] = await Promise.all([db().server.findMany(), db().site.findMany()])
  const scope = (): GrantScope => {
    const kind = chance.pick(['everything', 'server', 'site', 'label'] as const)
    if (kind === 'everything') return { kind }
    if (kind === 'label') return { kind, name: 'client' }
    return { kind, id: chance.pick<{ id: string }>(kind === 'server' ? servers : sites).id }
  }
  const columns = () => {
    const all = chance.below(2) === 0
    const some: Effect[] = all ? [...effects] : effects.filter(() => chance.below(2) === 0)
    return {
      id: createOpaqueId(),
      teamId: team.id,
      validFrom: new Date(0),
      until: chance.below(3) === 0 ? new Date(Date.now() + 3_600_000 * (1 + chance.below(3))) : null,
      ...toColumns({ subjects: all ? 'all' : subjects.filter(() => chance.below(2) === 0), effects: some, operations: [], root: all }),
      scopes: { create: toScopeRow(scope()) },
    }
  }
  for (const subject of [chance.pick(servers), chance.pick(sites)]) {
    const subjectKind = 'domain' in subject ? 'site' : 'server'
    await db().label.create({ data: { teamId: team.id, subjectKind, subjectId: subject.id, name: 'client' } })
  }
  const giveSome = async (userId: string) => {
    await db().grant.create({ data: { ...columns(), userId } })
    await db().loan.create({ data: { ...columns(), connectionId, ...(chance.below(2) === 0 ? { userId } : { role: 'guest' as const }) } })
  }
  for (const { user } of members) await giveSome(user.id)
  await db().grant.create({ data: { ...columns(), role: chance.pick(['operator', 'viewer', 'guest'] as const) } })
  return {
    team,
    owner,
    members,
    servers,
    sites,
    giveSome,
    [Symbol.asyncDispose]: async () => {
      for (const upstream of upstreams) await upstream[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

type Opened = Awaited<ReturnType<typeof openTeam>>

/** Whether the decision lets it pass; what has to be typed or chosen is asked only of those who may do it. */
async function isDecided(actor: Person, operation: (typeof operations)[number], target: { serverId?: string; siteId?: string }) {
  const decided = await decide(actor, operation, target)
  return decided.ok || decided.problem.code === 'invalid'
}

/** How often the table and the decision differ, for all of these members, operations and places; how many can do something is counted. */
async function differences({ team, servers, sites }: Opened, actors: readonly Person[]) {
  const rows = computeReach(await readReachTeam(team.id, null), Date.now())
  const found: string[] = []
  let can = 0
  for (const actor of actors) {
    for (const operation of operations) {
      const kind = targetKindOf(operation)
      if (kind === 'connection' && operation.id !== 'sites.create') continue
      for (const { id, ...row } of kind === 'site' ? sites : servers) {
        const place =
          'domain' in row ? ({ kind: 'site', siteId: id, serverId: row.serverId } as const) : ({ kind: 'server', serverId: id } as const)
        const target = place.kind === 'site' ? { siteId: id } : { serverId: id }
        const listed = rows.some((each) => each.userId === actor.user.id && includes(each, operation.id, place))
        const decided = await isDecided(actor, operation, target)
        if (listed !== decided) found.push(`${actor.role} ${operation.id} ${JSON.stringify(place)}: ${listed}, ${decided}`)
        if (listed) can += 1
      }
    }
  }
  return { found, can }
}

const chance = openChance()

test('for each member, operation, server and site of a team, the table says what the decision about a request says', async () => {
  await using opened = await openTeam(chance)
  const { found, can } = await differences(opened, [opened.owner, ...opened.members])
  expect(found, `SEED=${chance.seed}`).toEqual([])
  expect(can, `SEED=${chance.seed}`).toBeGreaterThan(100)
}, 120_000)

/** Rows without what cannot be known before saving: the id and the beginning of a new grant. */
const comparable = (rows: readonly ReachRow[], known: ReadonlySet<string>): string[] =>
  rows
    .map(({ grantId, from, operations: can, places, ...row }) => {
      const grant = known.has(grantId) ? { grantId, from } : 'new'
      const ids = Object.values(can).map((each) => [...each].sort())
      return JSON.stringify({ ...row, grant, ids, places: [...places.keys()].sort() })
    })
    .sort()

type Saving = { change: ReachChange; save: () => Promise<{ ok: boolean }> }

const ending = (owner: Person, grantId: string): Saving => ({
  change: { kind: 'endGrant', grantId },
  save: () => endAccess(inputOf(owner, { grantId })),
})

/** A change by chance, before it is saved, and how the product saves it. */
async function pickChange({ owner, team, servers }: Opened, members: readonly Person[]): Promise<Saving> {
  const grants = await db().grant.findMany({ where: { teamId: team.id, userId: { not: owner.user.id } } })
  // All of them may have ended.
  const grant = grants.length === 0 ? null : chance.pick(grants)
  const member = members.find(({ user }) => user.id === grant?.userId) ?? chance.pick(members)
  const memberId = member.user.id
  const role = chance.pick(['admin', 'operator', 'viewer', 'guest'] as const satisfies Role[])
  const server = chance.pick(servers)
  const day = new Date(Date.now() + 86_400_000 * (2 + chance.below(3))).toISOString().slice(0, 10)
  const given = { subjects: 'backups,logs', effects: 'read,change', root: '', where: 'server', placeId: server.id, until: '', why: '' }
  const choices: Saving[] = [
    { change: { kind: 'removeMember', userId: memberId }, save: () => removeMember(inputOf(owner, { memberId })) },
    { change: { kind: 'changeRole', userId: memberId, role }, save: () => changeRole(inputOf(owner, { memberId, role })) },
    {
      change: { kind: 'setEnd', userId: memberId, endsAt: Date.parse(`${day}T23:59:59.999Z`) },
      save: () => setMembershipEnd(inputOf(owner, { memberId, endsOn: day })),
    },
    ...(grant ? [ending(owner, grant.id)] : []),
    {
      change: {
        kind: 'giveGrant',
        grant: {
          id: 'new',
          userId: memberId,
          role: null,
          scopes: [{ kind: 'server', id: server.id }],
          subjects: ['backups', 'logs'],
          effects: ['read', 'change'],
          operations: [],
          root: false,
          from: Date.now(),
          until: null,
        },
      },
      save: () => giveAccess(inputOf(owner, { to: `member ${memberId}`, ...given })),
    },
  ]
  return chance.pick(choices)
}

const changes = seededRuns(150)

test(`${changes} random changes make of the table what it said before they were saved`, async () => {
  await using opened = await openTeam(chance)
  const { team, members } = opened
  const counted = new Map<string, number>()
  for (let run = 0; run < changes; run += 1) {
    const rows = await db().membership.findMany({ where: { teamId: team.id, role: { not: 'owner' } } })
    const present = members.filter(({ user }) => rows.some(({ userId }) => userId === user.id))
    if (present.length < 4) {
      const joined = await team.join(chance.pick(['operator', 'viewer', 'guest'] as const))
      await opened.giveSome(joined.user.id)
      members.push(joined)
      present.push(joined)
    }
    const { change, save } = await pickChange(opened, present)
    const stored = await readReachTeam(team.id, null)
    const known = new Set(stored.grants.map(({ id }) => id))
    const expected = comparable(computeReach(applyChange(stored, change), Date.now()), known)
    const saved = await save()
    if (!saved.ok) continue
    const rowsNow = comparable(computeReach(await readReachTeam(team.id, null), Date.now()), known)
    expect(rowsNow, `SEED=${chance.seed}, run ${run}: ${JSON.stringify(change)}`).toEqual(expected)
    counted.set(change.kind, (counted.get(change.kind) ?? 0) + 1)
  }
  process.stdout.write(`SEED=${chance.seed}: ${JSON.stringify(Object.fromEntries(counted))}\n`)
  expect(counted.size, `SEED=${chance.seed}`).toBeGreaterThan(3)
}, 240_000)
