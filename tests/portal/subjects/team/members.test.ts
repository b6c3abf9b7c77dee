import { expect, test } from 'vitest'
import { listMembers } from '@/lib/portal/subjects/team/members'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'

test('members are listed by role, with second factor, last visit, end and state', async () => {
  await using portal = await openPortalDatabase()
  const team = await createTeam()
  const [viewer, operator, admin, owner] = [
    await team.join('viewer'),
    await team.join('operator'),
    await team.join('admin'),
    await team.join('owner'),
  ]
  const id = ({ user }: { user: { id: string } }) => ({ where: { id: user.id } })
  await portal.db.user.update({ ...id(viewer), data: { disabledAt: new Date() } })
  await portal.db.membership.updateMany({ where: { userId: operator.user.id }, data: { endsAt: new Date(0) } })
  const sealed = { sealed: new Uint8Array(1), kekId: 'x', secretVersion: 1 }
  await portal.db.totp.create({ data: { userId: admin.user.id, ...sealed } })
  const key = { label: 'x', publicKey: new Uint8Array(1), counter: 0, transports: '', backedUp: false }
  await portal.db.passkey.create({ data: { ...key, id: 'p', userId: owner.user.id } })
  expect(await listMembers(admin)).toMatchObject([
    {
      id: owner.user.id,
      role: 'owner',
      factors: ['passkey'],
      lastOwner: true,
      state: 'active',
      you: false,
      changeable: false,
      endsAt: null,
    },
    { id: admin.user.id, role: 'admin', factors: [], lastOwner: false, state: 'active', you: true, changeable: true },
    { id: operator.user.id, role: 'operator', state: 'ended', endsAt: '1970-01-01T00:00:00.000Z' },
    { id: viewer.user.id, role: 'viewer', state: 'disabled', lastSeenAt: expect.stringMatching(/Z$/) },
  ])
  // Only who may change members sees the second factors, and an app that was not confirmed is none.
  const factors = async (reader = owner) => (await listMembers(reader)).map((member) => member.factors)
  const watcher = await team.join('viewer')
  expect(await factors(watcher)).toEqual([null, null, null, null, null])
  await portal.db.membership.deleteMany({ where: { userId: watcher.user.id } })
  expect(await factors()).toEqual([['passkey'], [], [], []])
  await portal.db.totp.updateMany({ data: { confirmedAt: new Date() } })
  await portal.db.passkey.create({ data: { ...key, id: 'q', userId: admin.user.id } })
  expect(await factors()).toEqual([['passkey'], ['app', 'passkey'], [], []])
  const second = await team.join('owner')
  expect((await listMembers(second)).filter(({ lastOwner }) => lastOwner)).toEqual([])
  await portal.db.membership.updateMany({ where: { userId: second.user.id }, data: { endsAt: new Date(Date.now() + 86_400_000) } })
  expect((await listMembers(second)).filter(({ lastOwner }) => lastOwner)).toMatchObject([{ id: owner.user.id }])
})

test('security 3: nobody of another team is listed', async () => {
  await using _ = await openPortalDatabase()
  const actor = await (await createTeam()).join('viewer')
  await (await createTeam()).join('owner')
  expect(await listMembers(actor)).toMatchObject([{ id: actor.user.id, changeable: false }])
})
