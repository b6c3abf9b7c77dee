/** Freezing a connection: who may, and that nothing is called through it until it is thawed. */
import { expect, test } from 'vitest'
import { contract } from '@/lib/contract'
import { encodeRequest } from '@/lib/contract/request'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import type { Person as Actor } from '@/lib/portal/identity/actor'
import { checkConnection } from '@/lib/portal/subjects/connections/check'
import { freezeConnection, thawConnection } from '@/lib/portal/subjects/connections/freeze'
import { listConnections } from '@/lib/portal/subjects/connections/list'
import { removeConnection } from '@/lib/portal/subjects/connections/remove'
import { replaceKey } from '@/lib/portal/subjects/connections/replace-key'
import { findWay } from '@/lib/portal/subjects/sampling/plan'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { runOperation } from '@/lib/portal/subjects/spine'
import { callConnection, openStream } from '@/lib/portal/upstream/unattended'
import { inputOf } from '@/tests/support/own-input'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { startUpstream } from '@/tests/support/upstream/upstream'

const freeze = (actor: Actor, connectionId: string) => freezeConnection(inputOf(actor, { connectionId }))
const thaw = (actor: Actor, connectionId: string) => thawConnection(inputOf(actor, { connectionId }))

const codeOf = (outcome: { ok: true } | { ok: false; problem: { code: string } }) => (outcome.ok ? 'ok' : outcome.problem.code)

async function prepare() {
  const upstream = await startUpstream({ extensions: true })
  upstream.addServer({ name: 'alpha', state: 'ready' })
  const team = await createTeam()
  const [owner, operator] = [await team.join('owner'), await team.join('operator')]
  return { upstream, team, owner, operator }
}

test('security 16: a frozen connection makes no call, whoever asks, and says who froze it; thawed, it is used again', async () => {
  await using _ = await openPortalDatabase()
  const { upstream, team, owner, operator } = await prepare()
  await using __ = upstream
  const id = await team.connect(upstream, { label: 'One' })
  const [server] = (await listServers(operator)).servers
  const serverId = server?.id ?? ''
  expect(codeOf(await freeze(operator, id))).toBe('forbidden')
  expect(await freeze(owner, id)).toEqual({ ok: true, data: { label: 'One' } })
  const calls = upstream.calls.length
  const frozen = { ok: false, problem: { code: 'key_frozen', sentence: expect.stringMatching(/is frozen: The owner froze it on \d{4}/) } }
  expect(await runOperation(operator, contract.servers.summary, { serverId })).toMatchObject(frozen)
  expect(await runOperation(operator, contract.servers.reboot, { serverId }, {}, { confirmName: 'alpha' })).toMatchObject(frozen)
  expect(await checkConnection(inputOf(owner, { connectionId: id }))).toMatchObject(frozen)
  expect((await listServers(operator)).connections).toMatchObject([{ problem: { code: 'key_frozen' } }])
  expect(await findWay(serverId)).toBeNull()
  expect(upstream.calls).toHaveLength(calls)
  expect(codeOf(await thaw(operator, id))).toBe('forbidden')
  expect(codeOf(await thaw(owner, id))).toBe('ok')
  expect(await runOperation(operator, contract.servers.summary, { serverId })).toMatchObject({ ok: true })
  const rows = await db().auditRow.findMany({
    where: { action: { in: ['connection.freeze', 'connection.thaw'] } },
    orderBy: { seq: 'asc' },
  })
  expect(rows.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual([
    'connection.freeze denied',
    'connection.freeze asked',
    'connection.freeze done',
    'connection.thaw asked',
    'connection.thaw done',
  ])
})

test('security 16: a connection frozen after permissions were checked is noticed just before the call', async () => {
  await using _ = await openPortalDatabase()
  const { upstream, team, owner } = await prepare()
  await using __ = upstream
  const id = await team.connect(upstream)
  const checked = await db().connection.findUniqueOrThrow({ where: { id } })
  await freeze(owner, id)
  const request = encodeRequest(contract.servers.list, {}, { extensions: false })
  expect(codeOf(await callConnection(checked, contract.servers.list, request))).toBe('key_frozen')
  const stream = await openStream(checked, contract.servers.list, request, { pace: 'stream' })
  expect(stream).toMatchObject({ kind: 'outcome', outcome: { ok: false, problem: { code: 'key_frozen' } } })
  expect(upstream.calls).toHaveLength(0)
})

test('a member freezes and thaws their own connection; admins see, freeze and remove it, but neither use nor change it', async () => {
  await using _ = await openPortalDatabase()
  const { upstream, team, owner, operator } = await prepare()
  await using __ = upstream
  const mate = await team.join('operator')
  const id = await team.connect(upstream, { label: 'Own', ownerId: operator.user.id })
  await listServers(operator)
  expect(codeOf(await freeze(mate, id))).toBe('not_found')
  expect(codeOf(await freeze(await (await createTeam('Theirs')).join('owner'), id))).toBe('not_found')
  expect(codeOf(await freeze(operator, id))).toBe('ok')
  expect(codeOf(await thaw(operator, id))).toBe('ok')
  expect(await listConnections(mate)).toEqual([])
  expect(await listConnections(owner)).toMatchObject([{ label: 'Own', ownerName: 'The operator', frozen: null, freezeRefusal: null }])
  expect((await listServers(owner)).servers).toEqual([])
  expect(codeOf(await freeze(owner, id))).toBe('ok')
  expect(codeOf(await thaw(operator, id))).toBe('forbidden')
  expect(await listConnections(operator)).toMatchObject([{ frozen: { by: 'The owner' }, freezeRefusal: expect.stringContaining('admin') }])
  expect(codeOf(await replaceKey(inputOf(owner, { connectionId: id, apiKey: 'another-key-1', confirmName: 'Own' })))).toBe('not_found')
  expect(await db().notification.findMany({ where: { userId: operator.user.id }, select: { kind: true, detail: true } })).toEqual([
    { kind: 'key_frozen', detail: '{"label":"Own","by":"The owner"}' },
  ])
  expect(codeOf(await removeConnection(inputOf(mate, { connectionId: id, confirmName: 'Own' })))).toBe('not_found')
  expect(codeOf(await removeConnection(inputOf(owner, { connectionId: id, confirmName: 'Own' })))).toBe('ok')
})

test('whoever keeps a connection is notified that somebody else froze and thawed it', async () => {
  await using _ = await openPortalDatabase()
  const { upstream, team, owner, operator } = await prepare()
  await using __ = upstream
  const admin = await team.join('admin')
  const [shared, own] = [
    await team.connect(upstream, { label: 'One' }),
    await team.connect(upstream, { label: 'Own', ownerId: operator.user.id }),
  ]
  for (const id of [shared, own]) for (const change of [freeze, thaw]) expect(codeOf(await change(admin, id))).toBe('ok')
  const told = await db().notification.findMany({ orderBy: { createdAt: 'asc' } })
  expect(told.map(({ kind, userId, subjectId, detail }) => [kind, userId, subjectId, detail])).toEqual([
    ['key_frozen', owner.user.id, shared, '{"label":"One","by":"The admin"}'],
    ['key_thawed', owner.user.id, shared, '{"label":"One","by":"The admin"}'],
    ['key_frozen', operator.user.id, own, '{"label":"Own","by":"The admin"}'],
    ['key_thawed', operator.user.id, own, '{"label":"Own","by":"The admin"}'],
  ])
})

test('the own connection of somebody who left stays frozen', async () => {
  await using _ = await openPortalDatabase()
  const { upstream, team, owner, operator } = await prepare()
  await using __ = upstream
  const id = await team.connect(upstream, { label: 'Own', ownerId: operator.user.id })
  await db().connection.update({ where: { id }, data: { frozenAt: new Date() } })
  await db().membership.deleteMany({ where: { userId: operator.user.id } })
  expect(codeOf(await thaw(owner, id))).toBe('forbidden')
  expect(await listConnections(owner)).toMatchObject([{ frozen: { by: '' }, freezeRefusal: expect.stringContaining('no longer') }])
})

test('two who freeze at once: the row keeps the first', async () => {
  await using _ = await openPortalDatabase()
  const { upstream, team, owner } = await prepare()
  await using __ = upstream
  const admin = await team.join('admin')
  const id = await team.connect(upstream)
  const both = await Promise.all([freeze(owner, id), freeze(admin, id)])
  expect(both.map(codeOf).sort()).toEqual(['changed_meanwhile', 'ok'])
})

test('a replaced key of a frozen connection is tested and stored, and the connection stays frozen', async () => {
  await using _ = await openPortalDatabase()
  const { upstream, team, owner } = await prepare()
  await using __ = upstream
  const id = await team.connect(upstream, { label: 'One' })
  await freeze(owner, id)
  await db().connection.update({ where: { id }, data: { state: 'rejected' } })
  expect(codeOf(await replaceKey(inputOf(owner, { connectionId: id, apiKey: upstream.key, confirmName: 'One' })))).toBe('ok')
  expect(await db().connection.findUniqueOrThrow({ where: { id } })).toMatchObject({ frozenAt: expect.any(Date), state: 'working' })
})

test('whoever keeps a connection is notified once that its key was refused, however many calls notice', async () => {
  await using _ = await openPortalDatabase()
  const { upstream, team, owner, operator } = await prepare()
  await using __ = upstream
  await team.join('admin')
  await team.connect(upstream, { label: 'Shared' })
  const [server] = (await listServers(owner)).servers
  const own = await team.connect(upstream, { label: 'Own', ownerId: operator.user.id })
  await listServers(operator)
  upstream.set('unauthorized')
  const read = (actor: Actor) => runOperation(actor, contract.servers.summary, { serverId: server?.id ?? '' })
  await Promise.all([read(operator), read(operator), read(operator)])
  const told = async () => (await db().notification.findMany({ orderBy: { createdAt: 'asc' } })).map(({ kind, userId }) => [kind, userId])
  expect(await told()).toEqual([['key_refused', operator.user.id]])
  expect(await db().notification.findFirst()).toMatchObject({ subjectKind: 'connection', subjectId: own, detail: '{"label":"Own"}' })
  await Promise.all([read(owner), read(owner)])
  expect(await told()).toHaveLength(3)
})

test('of the team’s connections, the last that is not frozen is known as such, with the jobs that are followed through it', async () => {
  await using _ = await openPortalDatabase()
  const { upstream, team, owner } = await prepare()
  await using __ = upstream
  const [one, two] = [await team.connect(upstream, { label: 'One' }), await team.connect(upstream, { label: 'Two' })]
  await team.connect(upstream, { label: 'Own', ownerId: owner.user.id })
  const last = async () => (await listConnections(owner)).filter(({ lastOfTeam }) => lastOfTeam).map(({ label }) => label)
  expect(await last()).toEqual([])
  expect(codeOf(await freeze(owner, one))).toBe('ok')
  expect(await last()).toEqual(['Two'])
  const job = { teamId: team.id, connectionId: two, operation: 'servers.install', targetName: 'alpha', lease: '' }
  await db().job.create({ data: { ...job, id: createOpaqueId(), state: 'running', startedAt: new Date(), heardAt: new Date() } })
  expect((await listConnections(owner)).find(({ id }) => id === two)).toMatchObject({ jobs: 1, lastOfTeam: true })
  expect(codeOf(await freeze(owner, two))).toBe('ok')
  expect(await last()).toEqual([])
})
