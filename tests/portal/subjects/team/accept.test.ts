import { expect, test } from 'vitest'
import { signInWithPassword } from '@/lib/portal/identity/sign-in'
import { findInvitation } from '@/lib/portal/subjects/team/accept'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { password as adasPassword, addPerson, device } from '../../identity/people'
import { accept, codeOf, invite, password } from './inviting'

test('a new person sets name and password and is a member with the invited role and end', async () => {
  await using portal = await openPortalDatabase()
  const team = await createTeam('Reiher')
  const owner = await team.join('owner')
  const endsOn = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
  const token = await invite(owner, { role: 'viewer', endsOn })
  expect(await findInvitation(token)).toEqual({
    email: 'ada@example.org',
    role: 'viewer',
    teamName: 'Reiher',
    invitedBy: owner.user.name,
    account: 'none',
    membershipEndsAt: `${endsOn}T23:59:59.999Z`,
  })
  expect(await accept(token, { name: '', password: 'short' })).toMatchObject({
    problem: { fields: { name: expect.any(String), password: expect.any(String) } },
  })
  expect(await accept(token)).toEqual({ ok: true, data: { email: 'ada@example.org' } })
  expect((await signInWithPassword({ email: 'ada@example.org', password }, device)).ok).toBe(true)
  const membership = await portal.db.membership.findFirst({
    where: { user: { email: 'ada@example.org' } },
    include: { user: true, grants: { include: { scopes: true } } },
  })
  expect(membership).toMatchObject({
    teamId: team.id,
    role: 'viewer',
    grants: [{ givenById: owner.user.id, subjects: '*', until: null, scopes: [{ kind: 'everything' }] }],
    endsAt: expect.any(Date),
    user: { name: 'Ada', emailProvenAt: null },
  })
  expect(await portal.db.notification.findMany()).toMatchObject([{ userId: owner.user.id, kind: 'invitation_accepted' }])
  const rows = await portal.db.auditRow.findMany({ where: { action: 'invitation.accept' }, orderBy: { seq: 'asc' } })
  expect(rows.map(({ actorKind, outcome }) => [actorKind, outcome])).toEqual([
    ['nobody', 'asked'],
    ['user', 'done'],
  ])
})

test('security 19: opening the link any number of times changes nothing; twenty acceptances at once make one member', async () => {
  await using portal = await openPortalDatabase()
  const token = await invite(await (await createTeam()).join('owner'))
  for (let n = 0; n < 5; n += 1) await findInvitation(token)
  expect(await portal.db.invitation.count({ where: { acceptedAt: null } })).toBe(1)
  const done = await Promise.all(Array.from({ length: 20 }, (_, n) => accept(token, { name: `Ada ${n}`, password: `${password} ${n}` })))
  expect(done.filter(({ ok }) => ok)).toHaveLength(1)
  expect(await portal.db.user.count({ where: { email: 'ada@example.org' } })).toBe(1)
  expect(codeOf(await accept(token))).toBe('not_found')
  expect(await findInvitation(token)).toBeNull()
})

test('security 19: an expired link, and one whose membership would be over already, is refused', async () => {
  await using portal = await openPortalDatabase()
  const token = await invite(await (await createTeam()).join('owner'))
  await portal.db.invitation.updateMany({ data: { membershipEndsAt: new Date() } })
  expect(codeOf(await accept(token))).toBe('not_found')
  await portal.db.invitation.updateMany({ data: { membershipEndsAt: null, expiresAt: new Date() } })
  expect([await findInvitation(token), codeOf(await accept(token))]).toEqual([null, 'not_found'])
  for (const other of [null, '', 'x', 'x'.repeat(43), { not: null }]) expect(await findInvitation(other)).toBeNull()
  expect(await portal.db.user.count()).toBe(1)
})

test.each([
  ['lowered to operator', { role: 'operator' as const }],
  ['ended', { endsAt: new Date(0) }],
])('security 19: the inviter’s membership was %s meanwhile: refused, and the invitation stays unused', async (_, data) => {
  await using portal = await openPortalDatabase()
  const admin = await (await createTeam()).join('admin')
  const token = await invite(admin)
  await portal.db.membership.updateMany({ where: { userId: admin.user.id }, data })
  expect(codeOf(await accept(token))).toBe('not_found')
  expect(await portal.db.invitation.count({ where: { acceptedAt: null } })).toBe(1)
  expect(await portal.db.user.count()).toBe(1)
})

test('security 19: an inviter who was removed, deleted or disabled has invited nobody', async () => {
  await using portal = await openPortalDatabase()
  const team = await createTeam()
  const admins = [await team.join('admin'), await team.join('admin'), await team.join('admin')] as const
  const tokens = [
    await invite(admins[0], { email: 'a@x.org' }),
    await invite(admins[1], { email: 'b@x.org' }),
    await invite(admins[2], { email: 'c@x.org' }),
  ]
  await portal.db.membership.deleteMany({ where: { userId: admins[0].user.id } })
  await portal.db.user.delete({ where: { id: admins[1].user.id } })
  await portal.db.user.update({ where: { id: admins[2].user.id }, data: { disabledAt: new Date() } })
  for (const token of tokens) expect(codeOf(await accept(token))).toBe('not_found')
})

test('security 19: an existing account is proven by its password, and keeps its name and password', async () => {
  await using portal = await openPortalDatabase()
  const owner = await (await createTeam()).join('owner')
  const ada = await addPerson()
  await portal.db.membership.deleteMany({ where: { userId: ada.userId } })
  const token = await invite(owner, { role: 'viewer' })
  expect(await findInvitation(token)).toMatchObject({ account: 'password' })
  expect(await accept(token, { name: 'Eve' })).toMatchObject({ ok: false, problem: { fields: { password: 'Wrong password.' } } })
  expect((await accept(token, { name: 'Eve', password: adasPassword })).ok).toBe(true)
  expect(await portal.db.user.findUnique({ where: { id: ada.userId } })).toMatchObject({ name: 'Ada' })
  expect((await signInWithPassword({ email: ada.email, password: adasPassword }, device)).ok).toBe(true)
})

test('security 12: guesses at an existing account’s password are throttled on this page too', async () => {
  await using portal = await openPortalDatabase()
  const owner = await (await createTeam()).join('owner')
  const ada = await addPerson()
  await portal.db.membership.deleteMany({ where: { userId: ada.userId } })
  const token = await invite(owner)
  for (let n = 0; n < 5; n += 1) await accept(token, { password: 'a guess' })
  expect(codeOf(await accept(token, { password: adasPassword }))).toBe('too_many')
})

test('a membership that ended can begin again; a disabled account cannot be invited', async () => {
  await using portal = await openPortalDatabase()
  const team = await createTeam()
  const owner = await team.join('owner')
  const ada = await addPerson()
  const where = { userId: ada.userId }
  await portal.db.membership.updateMany({ where, data: { teamId: team.id, role: 'admin', endsAt: new Date(0) } })
  expect((await accept(await invite(owner, { role: 'viewer' }), { password: adasPassword })).ok).toBe(true)
  expect(await portal.db.membership.findMany({ where })).toMatchObject([{ teamId: team.id, role: 'viewer', endsAt: null }])
  await portal.db.membership.deleteMany({ where })
  await portal.db.user.update({ where: { id: ada.userId }, data: { disabledAt: new Date() } })
  await expect(invite(owner)).rejects.toThrow(/disabled/)
})

test('every owner is notified of a new owner', async () => {
  await using portal = await openPortalDatabase()
  const team = await createTeam()
  const [owner, other] = [await team.join('owner'), await team.join('owner')]
  await accept(await invite(owner, { role: 'owner' }))
  const told = await portal.db.notification.findMany({ where: { kind: 'owners_changed' } })
  expect(told.map(({ userId }) => userId).sort()).toEqual([owner.user.id, other.user.id].sort())
})
