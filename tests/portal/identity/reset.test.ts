import { expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { recheckActor } from '@/lib/portal/identity/actor'
import { findRecovering, recoverAccount } from '@/lib/portal/identity/recovery'
import { requestReset } from '@/lib/portal/identity/request-reset'
import { signInWithPassword } from '@/lib/portal/identity/sign-in'
import { changeRole, disableMember, removeMember } from '@/lib/portal/subjects/team/change-member'
import { applyMembershipEnds } from '@/lib/portal/subjects/team/membership-ends'
import { createResetLink, mayResetStill } from '@/lib/portal/subjects/team/reset-link'
import { startMailServer } from '@/tests/support/mail-server'
import { inputOf } from '@/tests/support/own-input'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { addPerson, device } from './people'

const newPassword = 'Fünf Störche fliegen fort'
const tokenOf = (text: string): string => /token=([\w-]{43})/.exec(text)?.[1] ?? ''

const mailed = (url: string) => ({ environment: { SMTP_URL: url, MAIL_FROM: 'gatehouse@example.org' } })

test('security 12: three mails an hour go to one address, from whatever peer it is requested', async () => {
  await using server = await startMailServer()
  await using portal = await openPortalDatabase(mailed(server.url))
  const { email } = await addPerson()
  for (let n = 0; n < 5; n += 1) await (await requestReset(email, { ...device, peer: `192.0.2.${n}` }))()
  expect(server.received.map(({ to }) => to)).toEqual([email, email, email])
  expect(await portal.db.oneTimeLink.count()).toBe(1)
})

test('security 16: a mailed link sets the password once, ends every session and tells the person and every owner', async () => {
  await using server = await startMailServer()
  await using portal = await openPortalDatabase(mailed(server.url))
  const team = await createTeam()
  const [owner, viewer] = [await team.join('owner'), await team.join('viewer')]
  await (await requestReset(viewer.user.email.toUpperCase(), device))()
  const token = tokenOf(server.received[0]?.text ?? '')
  expect(await findRecovering(token)).toEqual({ email: viewer.user.email })
  expect((await recoverAccount(token, newPassword, device)).ok).toBe(true)
  expect((await recoverAccount(token, `${newPassword}!`, device)).ok).toBe(false)
  expect(await recheckActor(viewer.sessionId)).toBeNull()
  expect((await signInWithPassword({ email: viewer.user.email, password: newPassword }, device)).ok).toBe(true)
  const told = await portal.db.notification.findMany({ where: { kind: 'password_reset' } })
  expect(told.map(({ userId }) => userId).sort()).toEqual([owner.user.id, viewer.user.id].sort())
  const rows = await portal.db.auditRow.findMany({ where: { action: { startsWith: 'person.' } }, orderBy: { seq: 'asc' } })
  expect(rows.map(({ action, outcome }) => [action, outcome])).toEqual([
    ['person.requestReset', 'done'],
    ['person.resetPassword', 'asked'],
    ['person.resetPassword', 'done'],
  ])
  expect(JSON.stringify([rows, told])).not.toContain(token)
})

test('no link is mailed to a disabled account or one without a membership, nor without a mail server', async () => {
  await using server = await startMailServer()
  {
    await using portal = await openPortalDatabase(mailed(server.url))
    const { email, userId } = await addPerson()
    await portal.db.user.update({ where: { id: userId }, data: { disabledAt: new Date() } })
    await (await requestReset(email, device))()
    await portal.db.user.update({ where: { id: userId }, data: { disabledAt: null } })
    await portal.db.membership.updateMany({ data: { endsAt: new Date(0) } })
    await (await requestReset(email, device))()
  }
  await using portal = await openPortalDatabase()
  await (await requestReset((await addPerson()).email, device))()
  expect([server.received, await portal.db.oneTimeLink.count()]).toEqual([[], 0])
})

test.each([
  ['admin', 'viewer', true],
  ['admin', 'admin', true],
  ['admin', 'owner', false],
  ['owner', 'owner', false],
  ['operator', 'viewer', false],
] as const)('a reset link made by %s for %s: %s', async (own, role, made) => {
  await using portal = await openPortalDatabase()
  const team = await createTeam()
  const [actor, target] = [await team.join(own), await team.join(role)]
  const done = await createResetLink(inputOf(actor, { memberId: target.user.id }))
  expect(done.ok).toBe(made)
  expect(await portal.db.oneTimeLink.count()).toBe(made ? 1 : 0)
  if (!done.ok) return expect(done.problem.code).toBe('forbidden')
  expect(await portal.db.oneTimeLink.findFirst()).toMatchObject({ purpose: 'reset', createdById: actor.user.id })
  expect(JSON.stringify(await portal.db.auditRow.findMany())).not.toContain(tokenOf(done.data.link))
  expect((await recoverAccount(tokenOf(done.data.link), newPassword, device, mayResetStill)).ok).toBe(true)
})

/** An owner, and a link that an admin made for an operator. */
async function makeLink() {
  const team = await createTeam()
  const [owner, admin, operator] = [await team.join('owner'), await team.join('admin'), await team.join('operator')]
  const done = await createResetLink(inputOf(admin, { memberId: operator.user.id }))
  const token = done.ok ? tokenOf(done.data.link) : ''
  return { owner, admin, operator, use: () => recoverAccount(token, newPassword, device, mayResetStill) }
}

type Made = Awaited<ReturnType<typeof makeLink>>

const yesterday = new Date(Date.now() - 86_400_000)

/** What happens between making and using the link, by its page and as only the database shows it. */
const meanwhile: Record<string, (made: Made) => Promise<unknown>> = {
  'its member became an owner': ({ owner, operator }) => changeRole(inputOf(owner, { memberId: operator.user.id, role: 'owner' })),
  'its member is an owner, by the row': ({ operator }) =>
    db().membership.updateMany({ where: { userId: operator.user.id }, data: { role: 'owner' } }),
  'its maker was removed': ({ owner, admin }) => removeMember(inputOf(owner, { memberId: admin.user.id })),
  'its maker was disabled': ({ owner, admin }) => disableMember(inputOf(owner, { memberId: admin.user.id })),
  'its maker was lowered': ({ owner, admin }) => changeRole(inputOf(owner, { memberId: admin.user.id, role: 'operator' })),
  'its maker is lower, by the row': ({ admin }) =>
    db().membership.updateMany({ where: { userId: admin.user.id }, data: { role: 'operator' } }),
  'its maker is disabled, by the row': ({ admin }) => db().user.update({ where: { id: admin.user.id }, data: { disabledAt: yesterday } }),
  'its maker’s membership has ended': ({ admin }) =>
    db().membership.updateMany({ where: { userId: admin.user.id }, data: { endsAt: yesterday } }),
  'the end of its maker’s membership was handled': async ({ admin }) => {
    await db().membership.updateMany({ where: { userId: admin.user.id }, data: { endsAt: yesterday } })
    await applyMembershipEnds()
    await db().membership.updateMany({ where: { userId: admin.user.id }, data: { endsAt: null } })
  },
}

test.each(Object.keys(meanwhile))('security 16: a reset link of an admin is void once %s', async (event) => {
  await using portal = await openPortalDatabase()
  const made = await makeLink()
  await meanwhile[event]?.(made)
  expect(await made.use()).toMatchObject({ ok: false, problem: { code: 'not_found' } })
  expect(await portal.db.user.findUnique({ where: { id: made.operator.user.id } })).toMatchObject({ passwordHash: 'x' })
  expect(await portal.db.session.count({ where: { userId: made.operator.user.id, revokedAt: null } })).toBe(1)
})
