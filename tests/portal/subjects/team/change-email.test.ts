/** An admin changes a member's address, where Gatehouse sends no mail. */
import { expect, test } from 'vitest'
import { recheckActor } from '@/lib/portal/identity/actor'
import { createRecoveryLink, findRecovering } from '@/lib/portal/identity/recovery'
import { changeMemberEmail } from '@/lib/portal/subjects/team/change-email'
import { startMailServer } from '@/tests/support/mail-server'
import { inputOf } from '@/tests/support/own-input'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { codeOf } from './inviting'

const email = 'ada@new.example'

test('security 16: the address is changed, unproven; the member’s sessions and links end, and they are notified', async () => {
  await using portal = await openPortalDatabase()
  const team = await createTeam()
  const [admin, viewer] = [await team.join('admin'), await team.join('viewer')]
  await portal.db.user.updateMany({ data: { emailProvenAt: new Date() } })
  const token = new URL((await createRecoveryLink(viewer.user.email)) ?? '').searchParams.get('token')
  expect((await changeMemberEmail(inputOf(admin, { memberId: viewer.user.id, email: ' Ada@New.example' }))).ok).toBe(true)
  expect(await portal.db.user.findUnique({ where: { id: viewer.user.id } })).toMatchObject({ email, emailProvenAt: null })
  expect([await recheckActor(viewer.sessionId), await findRecovering(token)]).toEqual([null, null])
  expect(await portal.db.notification.findMany()).toMatchObject([{ userId: viewer.user.id, kind: 'email_changed' }])
  const rows = await portal.db.auditRow.findMany({ where: { action: 'member.changeEmail' }, orderBy: { seq: 'asc' } })
  expect(rows.map(({ outcome, detail }) => [outcome, JSON.parse(detail).address])).toEqual([
    ['asked', email],
    ['done', email],
  ])
})

test('security 23: never of a higher role, of another team’s member, or by a role that changes no members', async () => {
  await using portal = await openPortalDatabase()
  const [team, other] = [await createTeam(), await createTeam()]
  const [owner, admin, operator] = [await team.join('owner'), await team.join('admin'), await team.join('operator')]
  const stranger = await other.join('viewer')
  const change = async (actor: typeof owner, { user }: typeof owner) =>
    codeOf(await changeMemberEmail(inputOf(actor, { memberId: user.id, email })))
  expect(await change(admin, owner)).toBe('forbidden')
  expect(await change(operator, admin)).toBe('forbidden')
  expect(await change(owner, stranger)).toBe('not_found')
  expect(await portal.db.user.count({ where: { email } })).toBe(0)
  expect(await change(owner, owner)).toBe('ok')
  // An owner's own session stays open.
  expect(await recheckActor(owner.sessionId)).not.toBeNull()
})

test('an address that another account has is refused, and nothing is changed', async () => {
  await using portal = await openPortalDatabase()
  const team = await createTeam()
  const [owner, viewer, operator] = [await team.join('owner'), await team.join('viewer'), await team.join('operator')]
  const given = { memberId: viewer.user.id, email: operator.user.email }
  expect(await changeMemberEmail(inputOf(owner, given))).toMatchObject({ ok: false, problem: { fields: { email: expect.any(String) } } })
  expect(await recheckActor(viewer.sessionId)).not.toBeNull()
  expect(await portal.db.notification.count()).toBe(0)
})

test('where Gatehouse sends mail, members prove their own address', async () => {
  await using server = await startMailServer()
  await using _ = await openPortalDatabase({ environment: { SMTP_URL: server.url, MAIL_FROM: 'gatehouse@example.org' } })
  const team = await createTeam()
  const [owner, viewer] = [await team.join('owner'), await team.join('viewer')]
  expect(codeOf(await changeMemberEmail(inputOf(owner, { memberId: viewer.user.id, email })))).toBe('forbidden')
})
