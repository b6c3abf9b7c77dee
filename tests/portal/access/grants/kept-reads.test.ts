/** What a member with grants sees is kept until a write: it costs the same over many servers, and ends with the grant. */
import { afterEach, expect, test, vi } from 'vitest'
import { toColumns } from '@/lib/portal/access/grants/stored'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import type { Person } from '@/lib/portal/identity/actor'
import { notify } from '@/lib/portal/notifications/notify'
import { readCounts } from '@/lib/portal/views/home/counts'
import { listNotifications } from '@/lib/portal/views/notifications/list'
import { testEngine } from '@/tests/support/engine'
import { openPortalDatabase, sqliteOfPortal } from '@/tests/support/portal-database'
import { createTeam, type TestTeam } from '@/tests/support/portal-team'
import { startUpstream } from '@/tests/support/upstream/upstream'

afterEach(() => void vi.useRealTimers())

const minute = 60_000

/** With the label of the grant. */
async function addServers(team: TestTeam, connectionId: string, count: number): Promise<string[]> {
  const [ids, now] = [Array.from({ length: count }, createOpaqueId), new Date()]
  const common = { teamId: team.id, origin: 'https://service.example', hostname: '', dns: '', listedAt: now }
  await db().server.createMany({ data: ids.map((id) => ({ id, upstreamId: id, name: id, ...common })) })
  await db().serverOnConnection.createMany({ data: ids.map((serverId) => ({ serverId, connectionId, provenAt: now })) })
  const label = { teamId: team.id, subjectKind: 'server', name: 'client' } as const
  await db().label.createMany({ data: ids.map((subjectId) => ({ subjectId, ...label })) })
  return ids
}

/** A connection whose service no longer answers: a list in the background would remove servers that it does not have. */
async function connect(team: TestTeam): Promise<string> {
  await using upstream = await startUpstream()
  return team.connect(upstream)
}

async function give({ user, team }: Person, validFrom: Date, until: Date | null): Promise<void> {
  const given = { ...toColumns({ subjects: 'all', effects: ['read'], operations: [], root: false }), validFrom, until }
  const scopes = { create: { kind: 'label' as const, about: 'client' } }
  await db().grant.create({ data: { id: createOpaqueId(), teamId: team.id, userId: user.id, ...given, scopes } })
}

const tell = (team: TestTeam, { user }: Person, serverId: string) =>
  notify({
    teamId: team.id,
    userIds: [user.id],
    kind: 'server_unreachable',
    onceKey: serverId,
    subject: { kind: 'server', id: serverId },
    detail: { name: 'web' },
  })

/** How many statements the read takes, and how many values they have. */
async function measure(read: () => Promise<unknown>): Promise<{ statements: number; values: number }> {
  const spy = vi.spyOn(sqliteOfPortal(), 'read')
  await read()
  const { calls } = spy.mock
  const measured = { statements: calls.length, values: calls.reduce((sum, [, values]) => sum + values.length, 0) }
  spy.mockRestore()
  return measured
}

test.skipIf(testEngine === 'postgresql')(
  'notifications take as many statements and values over 2,000 servers as over 2, and none again until a write',
  async () => {
    await using _portal = await openPortalDatabase()
    const team = await createTeam()
    const [guest, connectionId] = [await team.join('guest'), await connect(team)]
    await give(guest, new Date(0), null)
    const [first = ''] = await addServers(team, connectionId, 2)
    await tell(team, guest, first)
    const read = () => listNotifications(guest)
    const few = await measure(read)
    expect(few.statements).toBeGreaterThan(0)
    await addServers(team, connectionId, 1_998)
    expect(await measure(read)).toEqual(few)
    expect(await measure(read)).toEqual({ statements: 0, values: 0 })
    expect((await read()).items).toHaveLength(1)
    await db().label.deleteMany({ where: { subjectId: first } })
    expect((await read()).items).toEqual([])
  },
)

test('counts and notifications follow a grant at its start and its end, though neither is a write', async () => {
  await using _portal = await openPortalDatabase()
  const team = await createTeam()
  const [guest, connectionId] = [await team.join('guest'), await connect(team)]
  const [from, until] = [Date.now() + minute, Date.now() + 2 * minute]
  await give(guest, new Date(from), new Date(until))
  const [first = ''] = await addServers(team, connectionId, 600)
  await tell(team, guest, first)
  for (const [at, servers, told] of [
    [from - 1, 0, 0],
    [from, 600, 1],
    [until - 1, 600, 1],
    [until, 0, 0],
  ] as const) {
    vi.useFakeTimers({ now: at, toFake: ['Date'] })
    const seen = [(await readCounts(guest)).servers, (await listNotifications(guest)).items.length]
    expect([at, ...seen]).toEqual([at, servers, told])
  }
})

test('what one member sees is kept for no other, and for no other team, even if all were compiled at the same moment', async () => {
  await using _portal = await openPortalDatabase()
  const [team, other] = [await createTeam(), await createTeam()]
  const [one, two, connectionId] = [await team.join('guest'), await team.join('guest'), await connect(team)]
  for (const guest of [one, two]) await give(guest, new Date(0), null)
  const [first = ''] = await addServers(team, connectionId, 2)
  await tell(team, one, first)
  vi.useFakeTimers({ now: Date.now(), toFake: ['Date'] })
  const elsewhere: Person = { ...one, team: { ...one.team, id: other.id } }
  for (const [guest, servers, told] of [
    [one, 2, 1],
    [two, 2, 0],
    [elsewhere, 0, 0],
  ] as const) {
    expect([(await readCounts(guest)).servers, (await listNotifications(guest)).items.length]).toEqual([servers, told])
  }
})
