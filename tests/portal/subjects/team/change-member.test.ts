import { expect, test } from 'vitest'
import { problem } from '@/lib/contract/problem'
import { type Person as Actor, recheckActor } from '@/lib/portal/identity/actor'
import { changeMemberEmail } from '@/lib/portal/subjects/team/change-email'
import { changeRole, disableMember, enableMember, removeMember, setMembershipEnd } from '@/lib/portal/subjects/team/change-member'
import { changeMembership } from '@/lib/portal/subjects/team/membership-change'
import { createResetLink } from '@/lib/portal/subjects/team/reset-link'
import { inputOf } from '@/tests/support/own-input'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { startUpstream } from '@/tests/support/upstream/upstream'
import { codeOf } from './inviting'

const soon = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)

const changes = {
  'change role': (actor: Actor, memberId: string) => changeRole(inputOf(actor, { memberId, role: 'viewer' })),
  'give an end': (actor: Actor, memberId: string) => setMembershipEnd(inputOf(actor, { memberId, endsOn: soon })),
  disable: (actor: Actor, memberId: string) => disableMember(inputOf(actor, { memberId })),
  remove: (actor: Actor, memberId: string) => removeMember(inputOf(actor, { memberId })),
}

test.each(Object.entries(changes))('%s: done for a lower role, logged as intent and outcome', async (_, change) => {
  await using portal = await openPortalDatabase()
  const team = await createTeam()
  const [admin, operator] = [await team.join('admin'), await team.join('operator')]
  expect(await change(admin, operator.user.id)).toMatchObject({ ok: true, data: { name: operator.user.name } })
  const rows = await portal.db.auditRow.findMany({ orderBy: { seq: 'asc' } })
  expect(rows.map(({ action, stage, outcome, objectId }) => [action.split('.')[0], stage, outcome, objectId])).toEqual([
    ['member', 'intent', 'asked', operator.user.id],
    ['member', 'outcome', 'done', operator.user.id],
  ])
  expect(rows[0]?.detail).toContain(operator.user.email)
})

test.each(Object.entries(changes))('%s: refused for a higher role, without permission, and for another team', async (_, change) => {
  await using portal = await openPortalDatabase()
  const team = await createTeam()
  const [owner, admin, operator] = [await team.join('owner'), await team.join('admin'), await team.join('operator')]
  await team.join('owner')
  const stranger = await (await createTeam()).join('owner')
  const before = JSON.stringify(await portal.db.membership.findMany({ include: { user: true } }))
  expect(codeOf(await change(admin, owner.user.id))).toBe('forbidden')
  expect(codeOf(await change(operator, admin.user.id))).toBe('forbidden')
  expect(codeOf(await change(operator, operator.user.id))).toBe('forbidden')
  expect(await change(stranger, operator.user.id)).toEqual(await change(stranger, 'x'.repeat(22)))
  expect(JSON.stringify(await portal.db.membership.findMany({ include: { user: true } }))).toBe(before)
})

test.each(Object.entries(changes))('security 21: %s: the last owner stays as they are', async (_, change) => {
  await using portal = await openPortalDatabase()
  const team = await createTeam()
  const [owner, gone, ending] = [await team.join('owner'), await team.join('owner'), await team.join('owner')]
  await portal.db.user.update({ where: { id: gone.user.id }, data: { disabledAt: new Date() } })
  await portal.db.membership.updateMany({ where: { userId: ending.user.id }, data: { endsAt: new Date(Date.now() + 60_000) } })
  expect(await change(ending, owner.user.id)).toMatchObject({ ok: false, problem: { sentence: expect.stringContaining('owner') } })
  expect(await change(owner, owner.user.id)).toMatchObject({ ok: false, problem: { sentence: expect.stringContaining('owner') } })
  expect(await recheckActor(owner.sessionId)).toMatchObject({ role: 'owner' })
})

test.each(Object.entries(changes))('security 21: %s: of two owners who do it to each other at once, one stays', async (_, change) => {
  await using portal = await openPortalDatabase()
  const team = await createTeam()
  const [one, other] = [await team.join('owner'), await team.join('owner')]
  const done = await Promise.all([change(one, other.user.id), change(other, one.user.id)])
  expect(done.filter(({ ok }) => ok)).toHaveLength(1)
  expect(await portal.db.membership.count({ where: { role: 'owner', endsAt: null, user: { disabledAt: null } } })).toBe(1)
})

const proven = { changeRole, setMembershipEnd, disableMember, enableMember, removeMember, createResetLink, changeMemberEmail }

test.each(Object.entries(proven))('security 21: %s asks for a fresh sign-in', async (_, change) => {
  await using portal = await openPortalDatabase()
  const team = await createTeam()
  const [owner, admin] = [await team.join('owner'), await team.join('admin')]
  if (change === enableMember) await portal.db.user.update({ where: { id: admin.user.id }, data: { disabledAt: new Date() } })
  const stale = problem('invalid', { fields: { password: 'x' } })
  const fields = { memberId: admin.user.id, role: 'viewer', endsOn: soon, email: 'ada@new.example' }
  const read = async () =>
    JSON.stringify([await portal.db.membership.findMany({ include: { user: true } }), await portal.db.session.findMany()])
  const before = await read()
  expect(await change(inputOf(owner, fields, { stepUp: async () => stale }))).toEqual({ ok: false, problem: stale })
  expect([await read(), await portal.db.oneTimeLink.count(), await portal.db.auditRow.count()]).toEqual([before, 0, 0])
  expect((await change(inputOf(owner, fields))).ok).toBe(true)
})

test('security 23: an owner who is made an admin just before the change makes nobody an owner', async () => {
  await using portal = await openPortalDatabase()
  const team = await createTeam()
  const [owner, viewer] = [await team.join('owner'), await team.join('viewer')]
  await portal.db.membership.updateMany({ where: { userId: owner.user.id }, data: { role: 'admin' } })
  const seen = { userId: viewer.user.id, teamId: team.id, role: 'viewer', endsAt: null } as const
  const give = (role: 'owner' | 'admin') =>
    changeMembership(owner, seen, ['viewer', role], (tx) => tx.membership.updateMany({ where: seen, data: { role } }))
  expect(codeOf(await give('owner'))).toBe('forbidden')
  expect(await recheckActor(viewer.sessionId)).toMatchObject({ role: 'viewer' })
  expect(codeOf(await give('admin'))).toBe('ok')
})

test('nobody gives a role above their own', async () => {
  await using _ = await openPortalDatabase()
  const team = await createTeam()
  const [admin, viewer] = [await team.join('admin'), await team.join('viewer')]
  const raise = (role: string) => changeRole(inputOf(admin, { memberId: viewer.user.id, role }))
  expect([codeOf(await raise('owner')), codeOf(await raise('__proto__')), codeOf(await raise('admin'))]).toEqual([
    'forbidden',
    'invalid',
    'ok',
  ])
})

test.each(['disable', 'remove'] as const)(
  'security 16: %s ends the session at once and freezes the member’s own connections',
  async (kind) => {
    await using portal = await openPortalDatabase()
    await using upstream = await startUpstream()
    const team = await createTeam()
    const [owner, operator] = [await team.join('owner'), await team.join('operator')]
    await team.connect(upstream, { ownerId: operator.user.id, label: 'Own' })
    await team.connect(upstream, { ownerId: owner.user.id, label: 'The owner’s' })
    await team.connect(upstream, { label: 'Shared' })
    expect(await changes[kind](owner, operator.user.id)).toMatchObject({ ok: true, data: { frozen: 1 } })
    expect(await recheckActor(operator.sessionId)).toBeNull()
    expect(await portal.db.session.count({ where: { userId: operator.user.id, revokedAt: null } })).toBe(0)
    const frozen = await portal.db.connection.findMany({ where: { frozenAt: { not: null } } })
    expect(frozen.map(({ label, frozenById }) => [label, frozenById])).toEqual([['Own', null]])
  },
)

test('security 16: a lowered role counts at the next check of an open session', async () => {
  await using _ = await openPortalDatabase()
  const team = await createTeam()
  const [owner, operator] = [await team.join('owner'), await team.join('operator')]
  await changes['change role'](owner, operator.user.id)
  expect(await recheckActor(operator.sessionId)).toMatchObject({ role: 'viewer' })
})

test('security 16: a role that keeps no connections freezes the member’s own; another role does not', async () => {
  await using portal = await openPortalDatabase()
  await using upstream = await startUpstream()
  const team = await createTeam()
  const [owner, admin] = [await team.join('owner'), await team.join('admin')]
  await team.connect(upstream, { ownerId: admin.user.id })
  const lower = (role: string) => changeRole(inputOf(owner, { memberId: admin.user.id, role }))
  expect(await lower('operator')).toMatchObject({ ok: true, data: { frozen: 0 } })
  expect(await portal.db.connection.count({ where: { frozenAt: null } })).toBe(1)
  expect(await lower('viewer')).toMatchObject({ ok: true, data: { frozen: 1 } })
  expect(await portal.db.connection.count({ where: { frozenAt: null } })).toBe(0)
})

test('security 16: a frozen connection is announced to its owner and to the others who keep connections, once, and not to who did it', async () => {
  await using portal = await openPortalDatabase()
  await using upstream = await startUpstream()
  const team = await createTeam()
  const [owner, second, admin] = [await team.join('owner'), await team.join('owner'), await team.join('admin')]
  const told = async () => {
    const rows = await portal.db.notification.findMany({ where: { kind: 'key_frozen' } })
    await portal.db.notification.deleteMany()
    return rows.map(({ userId }) => userId).sort()
  }
  const setRole = (role: string) => changeRole(inputOf(owner, { memberId: admin.user.id, role }))
  const id = await team.connect(upstream, { ownerId: admin.user.id })
  await setRole('viewer')
  expect(await told()).toEqual([second.user.id, admin.user.id].sort())
  // What Gatehouse froze before is not told again.
  await setRole('operator')
  await setRole('viewer')
  expect(await told()).toEqual([])
  await portal.db.connection.updateMany({ where: { id }, data: { frozenAt: null } })
  await changes.remove(owner, admin.user.id)
  expect(await told()).toEqual([second.user.id])
})

test('an enabled account may sign in again; its old sessions stay ended', async () => {
  await using portal = await openPortalDatabase()
  const team = await createTeam()
  const [owner, viewer] = [await team.join('owner'), await team.join('viewer')]
  await changes.disable(owner, viewer.user.id)
  expect(codeOf(await changes.disable(owner, viewer.user.id))).toBe('changed_meanwhile')
  expect(codeOf(await enableMember(inputOf(owner, { memberId: viewer.user.id })))).toBe('ok')
  expect(await portal.db.user.count({ where: { disabledAt: { not: null } } })).toBe(0)
  expect(await recheckActor(viewer.sessionId)).toBeNull()
})

test('owners learn that an owner was added or removed', async () => {
  await using portal = await openPortalDatabase()
  const team = await createTeam()
  const [owner, admin] = [await team.join('owner'), await team.join('admin')]
  await changeRole(inputOf(owner, { memberId: admin.user.id, role: 'owner' }))
  const told = () => portal.db.notification.findMany({ where: { kind: 'owners_changed' } })
  expect((await told()).map(({ userId }) => userId).sort()).toEqual([owner.user.id, admin.user.id].sort())
  await removeMember(inputOf(owner, { memberId: admin.user.id }))
  expect(await told()).toHaveLength(4)
})
