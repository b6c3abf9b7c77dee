import { expect, test } from 'vitest'
import { problem } from '@/lib/contract/problem'
import { roles } from '@/lib/portal/access/roles'
import { hashToken } from '@/lib/portal/identity/token'
import { resendInvitation, revokeInvitation } from '@/lib/portal/subjects/team/change-invitation'
import { listInvitations } from '@/lib/portal/subjects/team/invitations'
import { inviteMember } from '@/lib/portal/subjects/team/invite'
import { describeAction } from '@/lib/portal/views/activity/sentences'
import { startMailServer } from '@/tests/support/mail-server'
import { inputOf } from '@/tests/support/own-input'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { accept, codeOf, invite, tokenOf } from './inviting'

const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)

test('security 19: the link is shown once; the database and every list contain only its hash', async () => {
  await using portal = await openPortalDatabase()
  const actor = await (await createTeam()).join('owner')
  const token = await invite(actor, { email: ' ADA@Example.org', endsOn: tomorrow })
  const [row] = await portal.db.invitation.findMany()
  expect(row).toMatchObject({ email: 'ada@example.org', role: 'operator', tokenHash: hashToken(token) })
  expect(row?.membershipEndsAt?.toISOString()).toBe(`${tomorrow}T23:59:59.999Z`)
  const everything = JSON.stringify([row, await listInvitations(actor), await portal.db.auditRow.findMany()])
  expect(everything).not.toContain(token)
  expect(JSON.stringify(await listInvitations(actor))).not.toContain(hashToken(token))
})

test.each([
  ['viewer', 'viewer', 'forbidden'],
  ['operator', 'viewer', 'forbidden'],
  ['admin', 'owner', 'forbidden'],
  ['admin', 'admin', 'ok'],
  ['owner', 'owner', 'ok'],
] as const)('security 19: %s invites %s: %s', async (own, role, code) => {
  await using portal = await openPortalDatabase()
  const actor = await (await createTeam()).join(own)
  expect(codeOf(await inviteMember(inputOf(actor, { email: 'ada@example.org', role })))).toBe(code)
  expect(await portal.db.invitation.count()).toBe(code === 'ok' ? 1 : 0)
  const outcomes = (await portal.db.auditRow.findMany({ orderBy: { seq: 'asc' } })).map(({ outcome }) => outcome)
  expect(outcomes).toEqual(code === 'ok' ? ['asked', 'done'] : ['denied'])
})

test('security 21: inviting and resending ask for a fresh sign-in, whatever the role', async () => {
  await using portal = await openPortalDatabase()
  const actor = await (await createTeam()).join('owner')
  const token = await invite(actor, { role: 'viewer' })
  const [before, logged] = [await portal.db.invitation.findMany(), await portal.db.auditRow.count()]
  const stale = problem('invalid', { fields: { password: 'x' } })
  const asked = { stepUp: async () => stale }
  for (const role of roles) {
    expect(await inviteMember(inputOf(actor, { email: 'grace@example.org', role }, asked))).toEqual({ ok: false, problem: stale })
  }
  expect(await resendInvitation(inputOf(actor, { invitationId: before[0]?.id ?? '' }, asked))).toEqual({ ok: false, problem: stale })
  expect([await portal.db.invitation.findMany(), await portal.db.auditRow.count()]).toEqual([before, logged])
  expect(codeOf(await accept(token))).toBe('ok')
})

test('wrong fields are refused where they are; a member and an invited address are not invited again', async () => {
  await using portal = await openPortalDatabase()
  const team = await createTeam()
  const actor = await team.join('owner')
  const bad = await inviteMember(inputOf(actor, { email: 'nobody', role: '__proto__', endsOn: '2020-01-01' }))
  expect(bad).toMatchObject({
    problem: { fields: { email: expect.any(String), role: expect.any(String), endsOn: expect.any(String) } },
  })
  for (const endsOn of ['2099-01-01', '2026-02-31', 'x']) {
    expect(codeOf(await inviteMember(inputOf(actor, { email: 'ada@example.org', role: 'viewer', endsOn })))).toBe('invalid')
  }
  const member = await team.join('viewer')
  expect(await inviteMember(inputOf(actor, { email: member.user.email, role: 'viewer' }))).toMatchObject({
    problem: { fields: { email: expect.stringContaining('member') } },
  })
  const twice = await Promise.all([1, 2].map(() => inviteMember(inputOf(actor, { email: 'ada@example.org', role: 'viewer' }))))
  expect(twice.map(codeOf).sort()).toEqual(['invalid', 'ok'])
  expect(await portal.db.invitation.count()).toBe(1)
})

test('security 19: a resent invitation has a new link and the old one is dead; a revoked one has none', async () => {
  await using portal = await openPortalDatabase()
  const actor = await (await createTeam()).join('owner')
  const old = await invite(actor)
  const { id = '' } = (await portal.db.invitation.findFirst()) ?? {}
  await portal.db.invitation.updateMany({ data: { expiresAt: new Date(0) } })
  expect(await listInvitations(actor)).toMatchObject([{ expired: true, changeable: true }])
  const resent = await resendInvitation(inputOf(actor, { invitationId: id }))
  expect(codeOf(await accept(old))).toBe('not_found')
  const token = tokenOf(resent.ok ? resent.data.link : '')
  expect(await revokeInvitation(inputOf(actor, { invitationId: id }))).toEqual({ ok: true, data: { email: 'ada@example.org' } })
  expect(codeOf(await accept(token))).toBe('not_found')
  expect(codeOf(await resendInvitation(inputOf(actor, { invitationId: id })))).toBe('not_found')
  expect(await listInvitations(actor)).toEqual([])
})

test('an invitation above the own role, and one of another team, cannot be changed', async () => {
  await using portal = await openPortalDatabase()
  const team = await createTeam()
  const [owner, admin, viewer] = [await team.join('owner'), await team.join('admin'), await team.join('viewer')]
  const stranger = await (await createTeam()).join('owner')
  await invite(owner, { role: 'owner' })
  const { id = '' } = (await portal.db.invitation.findFirst()) ?? {}
  for (const change of [resendInvitation, revokeInvitation]) {
    expect(codeOf(await change(inputOf(admin, { invitationId: id })))).toBe('forbidden')
    expect(codeOf(await change(inputOf(viewer, { invitationId: id })))).toBe('forbidden')
    expect(await change(inputOf(stranger, { invitationId: id }))).toEqual(await change(inputOf(stranger, { invitationId: 'x'.repeat(22) })))
  }
  expect(await listInvitations(admin)).toMatchObject([{ changeable: false }])
})

test('security 20: the mail links to the configured address; one that fails leaves the link', async () => {
  await using server = await startMailServer()
  const environment = { PUBLIC_URL: 'https://gate.example.org', SMTP_URL: server.url, MAIL_FROM: 'gatehouse@example.org' }
  {
    await using _ = await openPortalDatabase({ environment })
    const invited = await inviteMember(
      inputOf(await (await createTeam('Reiher')).join('owner'), { email: 'ada@example.org', role: 'viewer' }),
    )
    expect(invited).toMatchObject({
      ok: true,
      data: { mail: 'sent', link: expect.stringMatching(/^https:\/\/gate\.example\.org\/invite\?token=/) },
    })
    expect(server.received).toMatchObject([{ to: 'ada@example.org', text: expect.stringContaining(invited.ok ? invited.data.link : '?') }])
    const addresses = server.received[0]?.text.match(/https?:\/\/[^/\s]+/g)
    expect(addresses).toEqual(['https://gate.example.org'])
  }
  await using _ = await openPortalDatabase({ environment: { ...environment, SMTP_URL: 'smtp://127.0.0.1:1' } })
  const invited = await inviteMember(inputOf(await (await createTeam()).join('owner'), { email: 'ada@example.org', role: 'viewer' }))
  expect(invited).toMatchObject({ ok: true, data: { mail: 'failed', link: expect.any(String) } })
})

test('Activity tells who was invited as what, and until when', () => {
  const detail = { email: 'ada@example.org', role: 'operator', until: '2026-11-27' }
  expect(describeAction('invitation.create', detail, 'done')).toBe('Invited ada@example.org as Operator until 27 Nov 2026')
  expect(describeAction('invitation.accept', { ...detail, until: undefined }, 'done')).toBe(
    'Accepted the invitation of ada@example.org as Operator',
  )
})
