/** Changes of Gatehouse itself that need a second person: access, roles, invitations, freezing, and the rule. */
import { expect, test } from 'vitest'
import { contract } from '@/lib/contract'
import { passHeld } from '@/lib/portal/approvals/approve'
import { setSecondPersonRule } from '@/lib/portal/approvals/change-rule'
import { findOwnHandler } from '@/lib/portal/approvals/own'
import { takeHeldLink, takenAs } from '@/lib/portal/approvals/take'
import { findHeldView } from '@/lib/portal/approvals/view'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import type { Person } from '@/lib/portal/identity/actor'
import type { OwnInput } from '@/lib/portal/spine/guarded-action'
import { readRule, ruleNames, ruleOf } from '@/lib/portal/spine/held/rule'
import { runRecorded } from '@/lib/portal/spine/recorded'
import { freezeConnection } from '@/lib/portal/subjects/connections/freeze'
import { removeConnection } from '@/lib/portal/subjects/connections/remove'
import { changeLabels } from '@/lib/portal/subjects/labels/change'
import { runOperation } from '@/lib/portal/subjects/spine'
import { changeAccess, endAccess, giveAccess } from '@/lib/portal/subjects/team/access/change'
import { changeMemberEmail } from '@/lib/portal/subjects/team/change-email'
import { resendInvitation } from '@/lib/portal/subjects/team/change-invitation'
import { changeRole, disableMember, enableMember, removeMember, setMembershipEnd } from '@/lib/portal/subjects/team/change-member'
import { inviteMember } from '@/lib/portal/subjects/team/invite'
import { approveRequest } from '@/lib/portal/subjects/team/requests/answer'
import { createResetLink } from '@/lib/portal/subjects/team/reset-link'
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
  expect(own.filter((action) => findOwnHandler(action) === null && takenAs(action) !== 'file')).toEqual([])
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
  // Nobody is mailed, so whoever asked takes its link.
  expect((await takeHeldLink(inputOf(admin, { heldId: held[3] ?? '' }))).ok).toBe(true)
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

test('security 63: who gets the access, or another role, is not its second person', async () => {
  await using scene = await openScene()
  const { owner, ask, access, idOf, team } = scene
  const other = await team.join('admin')
  const row = {
    id: createOpaqueId(),
    teamId: team.id,
    userId: other.user.id,
    openKey: 'asked',
    expiresAt: new Date(Date.now() + 3_600_000),
  }
  const what = { placeKind: 'server', placeId: idOf('alpha'), subject: 'logs', effects: 'read', why: 'audit', page: '/servers' } as const
  await db().accessRequest.create({ data: { ...row, ...what } })
  const grantId = (await db().grant.findFirstOrThrow({ where: { userId: other.user.id } })).id
  const held = [
    await ask(approveRequest, { accessRequestId: row.id, ...access }),
    await ask(giveAccess, { to: `member ${other.user.id}`, ...access }),
    await ask(changeAccess, { grantId, ...access }),
    await ask(setMembershipEnd, { memberId: other.user.id, endsOn: '' }),
    await ask(changeRole, { memberId: other.user.id, role: 'operator' }),
  ]
  for (const id of held) {
    expect(await approve(other, id)).toMatchObject({ problem: { code: 'not_found' } })
    expect(await findHeldView(owner, id)).toMatchObject({ approvers: 1, mayDecide: true })
    expect(await db().notification.count({ where: { userId: other.user.id, subjectId: id } })).toBe(0)
  }
  expect((await approve(owner, held[0] ?? '')).ok).toBe(true)
})

test('security 63: a connection of the team is removed by two, too', async () => {
  await using scene = await openScene()
  const { owner, ask, connectionId } = scene
  const fields = { connectionId, confirmName: 'Test service' }
  const id = await ask(removeConnection, fields)
  expect(await db().connection.count()).toBe(1)
  expect(await findHeldView(owner, id)).toMatchObject({ what: 'Remove the connection “Test service”' })
  expect(await approve(owner, id)).toEqual({ ok: true, data: { page: null } })
  expect(await db().connection.count()).toBe(0)
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

test('security 63: nobody makes an account theirs that could approve: links of invitations and resets wait, other addresses are refused, and what stops an owner waits', async () => {
  await using scene = await openScene()
  const { owner, admin, viewer, ask, team } = scene
  const other = await team.join('owner')
  const invited = await ask(inviteMember, { email: 'bob@example.org', role: 'admin', endsOn: '', access: '' })
  expect((await approve(owner, invited)).ok).toBe(true)
  expect((await takeHeldLink(inputOf(admin, { heldId: invited }))).ok).toBe(true)
  const invitation = await db().invitation.findFirstOrThrow()
  await ask(resendInvitation, { invitationId: invitation.id })
  await ask(createResetLink, { memberId: admin.user.id }, owner)
  expect(await changeMemberEmail(inputOf(owner, { memberId: admin.user.id, email: 'mine@example.org' }))).toMatchObject({
    problem: { code: 'forbidden' },
  })
  expect(await db().oneTimeLink.count()).toBe(0)
  expect(await db().invitation.findFirst()).toMatchObject({ tokenHash: invitation.tokenHash })
  for (const stop of [disableMember, removeMember]) await ask(stop, { memberId: other.user.id }, owner)
  expect(await db().membership.count({ where: { userId: other.user.id, user: { disabledAt: null } } })).toBe(1)
  // Whoever may have to be stopped at once, and approves nothing that takes an owner, is.
  expect((await disableMember(inputOf(owner, { memberId: viewer.user.id }))).ok).toBe(true)
  const back = await ask(enableMember, { memberId: viewer.user.id })
  expect((await approve(owner, back)).ok).toBe(true)
  expect((await db().user.findUnique({ where: { id: viewer.user.id } }))?.disabledAt).toBeNull()
})

test('security 63: the rule is not turned off by one owner: not without the other one who is disabled, and not by going without', async () => {
  await using scene = await openScene()
  const { owner, team } = scene
  const other = await team.join('owner')
  await db().user.update({ where: { id: other.user.id }, data: { disabledAt: new Date() } })
  const id = heldIdOf(await setSecondPersonRule(inputOf(owner, { names: '' })))
  const { digest } = await readHeld(id)
  expect((await findHeldView(owner, id))?.mayPass).toBe(false)
  expect(await passHeld(inputOf(owner, { heldId: id, digest, reason: 'Nobody else is there today' }))).toMatchObject({
    problem: { code: 'forbidden' },
  })
  expect(await readRule(team.id)).toEqual(ruleNames)
})

test('security 63: what carries a label when access to it is asked for is what it is given for', async () => {
  await using scene = await openScene()
  const { owner, viewer, ask, access, idOf } = scene
  const put = (name: 'alpha' | 'beta') =>
    changeLabels(owner, { change: 'add', subjectKind: 'server', subjectIds: [idOf(name)], label: 'client: new' })
  expect((await put('alpha')).ok).toBe(true)
  const id = await ask(giveAccess, { to: `member ${viewer.user.id}`, ...access, where: 'label', names: '', label: 'client: new' })
  expect((await put('beta')).ok).toBe(true)
  expect((await approve(owner, id)).ok).toBe(false)
  expect(await db().grantScope.count({ where: { about: 'client: new' } })).toBe(0)
})

test('security 63: whoever is removed leaves nothing sealed', async () => {
  await using scene = await openScene()
  const { owner, asker } = scene
  const id = heldIdOf(
    await runOperation(asker, contract.users.save, { serverId: scene.idOf('alpha') }, { user: 'deploy', pass: 'correct-horse-battery' }),
  )
  expect((await readHeld(id)).sealed).not.toBeNull()
  await db().team.updateMany({ data: { secondPersonFor: '' } })
  expect((await removeMember(inputOf(owner, { memberId: asker.user.id }))).ok).toBe(true)
  expect(await readHeld(id)).toMatchObject({ state: 'failed', sealed: null })
})
