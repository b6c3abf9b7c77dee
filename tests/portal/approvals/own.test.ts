/** Changes of Gatehouse itself that need a second person: access, roles, invitations, freezing, and the rule. */
import { expect, test } from 'vitest'
import { setSecondPersonRule } from '@/lib/portal/approvals/change-rule'
import { findOwnHandler } from '@/lib/portal/approvals/own'
import { findHeldView } from '@/lib/portal/approvals/view'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import type { Person } from '@/lib/portal/identity/actor'
import type { OwnInput } from '@/lib/portal/spine/guarded-action'
import { readRule, ruleNames, ruleOf } from '@/lib/portal/spine/held/rule'
import { runRecorded } from '@/lib/portal/spine/recorded'
import { freezeConnection } from '@/lib/portal/subjects/connections/freeze'
import { changeLabels } from '@/lib/portal/subjects/labels/change'
import { changeAccess, endAccess, giveAccess } from '@/lib/portal/subjects/team/access/change'
import { changeRole } from '@/lib/portal/subjects/team/change-member'
import { inviteMember } from '@/lib/portal/subjects/team/invite'
import { approveRequest } from '@/lib/portal/subjects/team/requests/answer'
import { inputOf } from '@/tests/support/own-input'
import { approve, heldIdOf, openScene as openTeam, readHeld } from './scene'

async function openScene() {
  const scene = await openTeam()
  const admin = scene.approver
  const viewer = await scene.team.join('viewer')
  const ask = async (
    handle: (input: OwnInput) => Promise<Parameters<typeof heldIdOf>[0]>,
    fields: Record<string, string>,
    by: Person = admin,
  ) => heldIdOf(await handle(inputOf(by, fields)))
  const access = { subjects: 'logs', effects: 'read', root: '', where: 'named', names: 'alpha', until: '', why: 'audit' }
  const grant = () => db().grant.findFirstOrThrow({ where: { userId: viewer.user.id } })
  return { ...scene, admin, viewer, ask, access, grant }
}

test('every action that the rule can list can be made afterwards', () => {
  const own = ruleNames.flatMap((name) => ruleOf(name).own)
  expect(own.length).toBeGreaterThan(4)
  expect(own.filter((action) => findOwnHandler(action) === null)).toEqual([])
})

test('security 63: access, roles, invitations and freezing wait for a second person, and are then made for whoever asked', async () => {
  await using scene = await openScene()
  const { owner, admin, viewer, ask, access, grant, connectionId } = scene
  const before = JSON.stringify([await db().grant.findMany(), await db().membership.findMany(), await db().connection.findMany()])
  const held = [
    await ask(giveAccess, { to: `member ${viewer.user.id}`, ...access }),
    await ask(changeAccess, { grantId: (await grant()).id, ...access }),
    await ask(changeRole, { memberId: viewer.user.id, role: 'operator' }),
    await ask(inviteMember, { email: 'new@example.org', role: 'viewer', endsOn: '', access: '' }),
    await ask(freezeConnection, { connectionId }),
  ]
  expect(JSON.stringify([await db().grant.findMany(), await db().membership.findMany(), await db().connection.findMany()])).toBe(before)
  expect(await db().invitation.count()).toBe(0)
  const role = await findHeldView(owner, held[2] ?? '')
  expect(role).toMatchObject({
    what: `Change the role of ${viewer.user.email} to Operator`,
    now: [{ label: 'Role', value: 'Viewer' }],
    approvers: 1,
  })
  for (const id of held) {
    expect(await approve(admin, id)).toMatchObject({ problem: { code: 'forbidden' } })
    expect(await approve(viewer, id)).toMatchObject({ ok: false })
    expect(await approve(owner, id)).toEqual({ ok: true, data: { page: null } })
  }
  expect(await db().grant.findMany({ where: { userId: viewer.user.id } })).toMatchObject([{ subjects: 'logs' }, { subjects: 'logs' }])
  expect(await db().membership.findFirst({ where: { userId: viewer.user.id } })).toMatchObject({ role: 'operator' })
  expect(await db().invitation.findFirst()).toMatchObject({ email: 'new@example.org', invitedById: admin.user.id })
  expect((await db().connection.findUnique({ where: { id: connectionId } }))?.frozenById).toBe(admin.user.id)
})

test('security 63: who approves access that somebody asked for waits for a second person, too', async () => {
  await using scene = await openScene()
  const { owner, admin, viewer, ask, access, idOf, team } = scene
  const row = {
    id: createOpaqueId(),
    teamId: team.id,
    userId: viewer.user.id,
    openKey: 'asked',
    expiresAt: new Date(Date.now() + 3_600_000),
  }
  const what = { placeKind: 'server', placeId: idOf('alpha'), subject: 'logs', effects: 'read', why: 'audit', page: '/servers' } as const
  await db().accessRequest.create({ data: { ...row, ...what } })
  const held = await ask(approveRequest, { accessRequestId: row.id, ...access })
  expect(await db().accessRequest.findFirst()).toMatchObject({ state: 'open' })
  expect(await approve(owner, held)).toEqual({ ok: true, data: { page: null } })
  expect(await db().accessRequest.findFirst()).toMatchObject({ state: 'approved', decidedById: admin.user.id })
})

test('security 63: a label that gives access is left as it is while changes of access need a second person', async () => {
  await using scene = await openScene()
  const { owner, grant, idOf } = scene
  await db().grantScope.create({ data: { grantId: (await grant()).id, kind: 'label', about: 'client: kaffee' } })
  const put = (label: string) => changeLabels(owner, { change: 'add', subjectKind: 'server', subjectIds: [idOf('alpha')], label })
  expect(await put('client: kaffee')).toMatchObject({ problem: { code: 'forbidden' } })
  expect(await put('other')).toMatchObject({ ok: true })
})

test('security 63: what changed since it was asked for is not made: the role, the access, what a name means, or whoever asked', async () => {
  await using scene = await openScene()
  const { owner, admin, viewer, ask, access, grant, idOf } = scene
  // The other server then has the name that the access was given by.
  const swap = (alpha: string, beta: string) =>
    db().$transaction([
      db().server.update({ where: { id: idOf('alpha') }, data: { name: alpha } }),
      db().server.update({ where: { id: idOf('beta') }, data: { name: beta } }),
    ])
  const member = (userId: string, role: 'viewer' | 'guest' | 'operator' | 'admin') =>
    db().membership.updateMany({ where: { userId }, data: { role } })
  const cases: [() => Promise<string>, () => Promise<unknown>, () => Promise<unknown>][] = [
    [
      () => ask(changeRole, { memberId: viewer.user.id, role: 'operator' }),
      () => member(viewer.user.id, 'guest'),
      () => member(viewer.user.id, 'viewer'),
    ],
    [
      async () => ask(endAccess, { grantId: (await grant()).id }),
      () => db().grant.updateMany({ where: { userId: viewer.user.id }, data: { effects: 'read,change' } }),
      async () => null,
    ],
    [() => ask(giveAccess, { to: `member ${viewer.user.id}`, ...access }), () => swap('beta', 'alpha'), () => swap('alpha', 'beta')],
    [
      () => ask(giveAccess, { to: `member ${viewer.user.id}`, ...access }),
      () => member(admin.user.id, 'operator'),
      () => member(admin.user.id, 'admin'),
    ],
  ]
  for (const [hold, alter, restore] of cases) {
    const id = await hold()
    await alter()
    const grants = await db().grant.count()
    expect((await approve(owner, id)).ok).toBe(false)
    expect([(await readHeld(id)).state, await db().grant.count()]).toEqual(['failed', grants])
    await restore()
  }
  expect((await grant()).until).toBeNull()
})

test('a connection of one’s own is frozen at once, and so is one of the team while the rule does not list it', async () => {
  await using scene = await openScene()
  const { asker, admin, team, upstream, connectionId } = scene
  const own = await team.connect(upstream, { ownerId: asker.user.id })
  expect((await freezeConnection(inputOf(asker, { connectionId: own }))).ok).toBe(true)
  await db().team.updateMany({ data: { secondPersonFor: 'access' } })
  expect((await freezeConnection(inputOf(admin, { connectionId }))).ok).toBe(true)
})

test('security 63: an action that the rule lists, and that does not say how it is held, is refused', async () => {
  await using scene = await openScene()
  const { admin, connectionId: id } = scene
  const needs = { subject: 'teamConnections', effect: 'change' } as const
  let made = false
  const change = {
    actor: admin,
    action: 'connection.freeze',
    requestId: 'A'.repeat(22),
    object: { kind: 'connection', id },
    needs,
    detail: {},
  } as const
  const outcome = await runRecorded(change, async () => {
    made = true
    return { ok: true, data: null }
  })
  expect([outcome.ok, made]).toEqual([false, false])
})

test('security 63: turning something off needs another owner, if there is one', async () => {
  await using scene = await openScene()
  const { owner, admin, team } = scene
  const other = await team.join('owner')
  const off = (by: Person) => setSecondPersonRule(inputOf(by, { names: 'restore' }))
  const id = heldIdOf(await off(owner))
  expect(await readRule(team.id)).toEqual(ruleNames)
  expect(await approve(admin, id)).toMatchObject({ ok: false })
  expect((await approve(other, id)).ok).toBe(true)
  expect(await readRule(team.id)).toEqual(['restore'])
  await db().membership.deleteMany({ where: { userId: other.user.id } })
  expect(await setSecondPersonRule(inputOf(owner, { names: '' }))).toEqual({ ok: true, data: null })
})
