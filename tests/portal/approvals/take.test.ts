/** What whoever asked takes after the approval: links that lead to an account, and the audit log as a file. */
import { afterEach, expect, test, vi } from 'vitest'
import { passHeld } from '@/lib/portal/approvals/approve'
import { readSecondPersonRule, setSecondPersonRule } from '@/lib/portal/approvals/change-rule'
import { expireAllHeld } from '@/lib/portal/approvals/expire'
import { refuseHeld, withdrawHeld } from '@/lib/portal/approvals/refuse'
import { takeHeldLink } from '@/lib/portal/approvals/take'
import { findHeldView } from '@/lib/portal/approvals/view'
import { verifyAudit } from '@/lib/portal/audit/verify'
import { db } from '@/lib/portal/base/db'
import { type Person, recheckActor } from '@/lib/portal/identity/actor'
import { createLink } from '@/lib/portal/identity/one-time-link'
import { findRecovering, recoverAccount } from '@/lib/portal/identity/recovery'
import { endSessionsOf } from '@/lib/portal/identity/session'
import { findInvitation } from '@/lib/portal/subjects/team/accept'
import { resendInvitation } from '@/lib/portal/subjects/team/change-invitation'
import { removeMember } from '@/lib/portal/subjects/team/change-member'
import { inviteMember } from '@/lib/portal/subjects/team/invite'
import { createResetLink, mayResetStill } from '@/lib/portal/subjects/team/reset-link'
import { renderActivity } from '@/lib/portal/views/activity/csv'
import { exportLog, takeExport } from '@/lib/portal/views/activity/export-log'
import { device } from '@/tests/portal/identity/people'
import { inputOf } from '@/tests/support/own-input'
import { accept } from '../subjects/team/inviting'
import { approve, heldIdOf, openScene, readHeld, type Scene } from './scene'

const minute = 60_000

const tokenOf = (link: string): string => new URL(link).searchParams.get('token') ?? ''

afterEach(() => void vi.useRealTimers())

const take = (by: Person, heldId: string) => takeHeldLink(inputOf(by, { heldId }))

const invitation = { email: 'new@example.org', role: 'admin', endsOn: '', access: '' }

/** The admin asks for a link that resets the operator's password, and the owner approves it. */
async function approvedReset({ approver: admin, asker: operator, owner }: Scene): Promise<string> {
  const id = heldIdOf(await createResetLink(inputOf(admin, { memberId: operator.user.id })))
  expect(await approve(owner, id)).toEqual({ ok: true, data: { page: null } })
  return id
}

/** All that the database has of requests, entries and notifications. */
const stored = async (): Promise<string> =>
  JSON.stringify([await db().heldRequest.findMany(), await db().auditRow.findMany(), await db().notification.findMany()])

test('security 63: a link that resets a password waits for a second person, and is then made once, for whoever asked, and stored nowhere', async () => {
  await using scene = await openScene()
  const { approver: admin, asker: operator, owner } = scene
  const id = heldIdOf(await createResetLink(inputOf(admin, { memberId: operator.user.id })))
  expect(await findHeldView(owner, id)).toMatchObject({
    what: `Make a link that resets the password of ${operator.user.email}`,
    now: [{ label: 'Role', value: 'Operator' }],
    takenAs: 'link',
    mayDecide: true,
  })
  expect(await take(admin, id)).toMatchObject({ problem: { code: 'changed_meanwhile' } })
  expect(await approve(owner, id)).toEqual({ ok: true, data: { page: null } })
  expect(await db().oneTimeLink.count()).toBe(0)
  expect(await findHeldView(admin, id)).toMatchObject({ state: 'ready', takeUntil: expect.any(String) })
  for (const other of [owner, operator]) expect((await take(other, id)).ok).toBe(false)
  const taken = (await Promise.all([take(admin, id), take(admin, id)])).filter(({ ok }) => ok)
  expect(taken).toMatchObject([{ data: { email: operator.user.email, link: expect.stringContaining('/recover?token=') } }])
  expect((await take(admin, id)).ok).toBe(false)
  const link = taken[0]?.ok ? taken[0].data.link : 'missing:'
  expect(await stored()).not.toContain(tokenOf(link))
  expect(await readHeld(id)).toMatchObject({ state: 'sent', sealed: null, kekId: null })
  expect(await db().oneTimeLink.findMany()).toMatchObject([{ userId: operator.user.id, createdById: admin.user.id }])
  expect(await verifyAudit()).toMatchObject({ ok: true })
})

test('security 63: after 60 minutes nobody takes it, and it can be refused or withdrawn until it is taken', async () => {
  await using scene = await openScene()
  const { approver: admin, team } = scene
  const other = await team.join('owner')
  const [late, swept, refused, withdrawn] = [
    await approvedReset(scene),
    await approvedReset(scene),
    await approvedReset(scene),
    await approvedReset(scene),
  ]
  expect((await refuseHeld(inputOf(other, { heldId: refused, reason: '' }))).ok).toBe(true)
  expect((await withdrawHeld(inputOf(admin, { heldId: withdrawn }))).ok).toBe(true)
  for (const id of [refused, withdrawn]) expect((await take(admin, id)).ok).toBe(false)
  const approvedAt = (await readHeld(swept)).sendAt?.getTime() ?? 0
  vi.useFakeTimers({ toFake: ['Date'], now: approvedAt + 60 * minute - 1 })
  await expireAllHeld()
  expect((await readHeld(swept)).state).toBe('ready')
  vi.setSystemTime(approvedAt + 60 * minute)
  expect((await take(admin, late)).ok).toBe(false)
  await expireAllHeld()
  for (const id of [late, swept]) expect(await readHeld(id)).toMatchObject({ state: 'expired', sealed: null, kekId: null })
  expect(await db().oneTimeLink.count()).toBe(0)
})

test('security 63: nothing is made of a row that says it was approved, nor once whoever approved it lost the right', async () => {
  await using scene = await openScene()
  const { approver: admin, asker: operator, owner } = scene
  const forge = async (data: { decidedById?: string; sendAt: Date }) => {
    const id = heldIdOf(await createResetLink(inputOf(admin, { memberId: operator.user.id })))
    await db().heldRequest.update({ where: { id }, data: { ...data, state: 'ready' } })
    return id
  }
  const forged = [await forge({ sendAt: new Date() }), await forge({ sendAt: new Date(), decidedById: owner.user.id })]
  const moved = await approvedReset(scene)
  await db().heldRequest.update({ where: { id: moved }, data: { sendAt: new Date(Date.now() + minute) } })
  const lost = await approvedReset(scene)
  await endSessionsOf(owner.user.id)
  for (const id of [...forged, moved, lost]) {
    expect((await take(admin, id)).ok).toBe(false)
    expect(await readHeld(id)).toMatchObject({ state: 'failed', sealed: null })
  }
  expect(await db().oneTimeLink.count()).toBe(0)
})

test('security 63: whose password was set with a link is no second person for whoever was shown that link', async () => {
  await using scene = await openScene()
  const { approver: admin, owner, asker: operator, team, ask, sent } = scene
  const other = await team.join('owner')
  const id = heldIdOf(await createResetLink(inputOf(owner, { memberId: admin.user.id })))
  expect((await approve(other, id)).ok).toBe(true)
  const taken = await take(owner, id)
  const link = taken.ok ? taken.data.link : 'missing:'
  expect((await recoverAccount(tokenOf(link), 'a-much-longer-passphrase-9', device, mayResetStill)).ok).toBe(true)
  const session = await db().session.findFirstOrThrow({ where: { userId: admin.user.id, revokedAt: null } })
  const taker = await recheckActor(session.id)
  if (!taker) throw new Error('The account is not signed in.')
  const [owners, operators] = [heldIdOf(await ask.setPassword(owner)), heldIdOf(await ask.setPassword(operator))]
  expect(await approve(taker, owners)).toMatchObject({ problem: { code: 'not_found' } })
  expect(sent()).toEqual([])
  expect(await findHeldView(owner, owners)).toMatchObject({ approvers: 2 })
  expect(await approve(taker, operators)).toMatchObject({ ok: true })
  // Nor the other way round: the member who was shown the link may be the one who asks.
  const takers = heldIdOf(await ask.setPassword(taker))
  expect(await approve(owner, takers)).toMatchObject({ problem: { code: 'not_found' } })
  expect(await findHeldView(taker, takers)).toMatchObject({ approvers: 2 })
  expect(await approve(other, takers)).toMatchObject({ ok: true })
})

test('security 63: two accounts whose passwords one member could know are no second person for each other, also by a link that one of them made', async () => {
  await using scene = await openScene()
  const { approver: admin, owner, asker: operator, ask } = scene
  await db().user.update({ where: { id: admin.user.id }, data: { passwordById: owner.user.id } })
  await db().externalIdentity.create({ data: { issuer: 'https://login.example', subject: 'o', userId: operator.user.id } })
  const link = await createLink('reset', operator.user.id, { createdById: admin.user.id })
  expect((await recoverAccount(tokenOf(link), 'a-much-longer-passphrase-9', device, mayResetStill)).ok).toBe(true)
  const by = { passwordById: owner.user.id }
  expect(await db().user.findUnique({ where: { id: operator.user.id } })).toMatchObject(by)
  expect(await db().externalIdentity.count()).toBe(1)
  const session = await db().session.findFirstOrThrow({ where: { userId: operator.user.id, revokedAt: null } })
  const taker = await recheckActor(session.id)
  if (!taker) throw new Error('The account is not signed in.')
  const id = heldIdOf(await ask.setPassword(taker))
  for (const each of [owner, admin]) expect(await approve(each, id)).toMatchObject({ problem: { code: 'not_found' } })
  // Set once more by somebody else: what was added meanwhile does not stay as a way in.
  const again = await createLink('reset', operator.user.id)
  expect((await recoverAccount(tokenOf(again), 'a-much-longer-passphrase-8', device, mayResetStill)).ok).toBe(true)
  expect(await db().user.findUnique({ where: { id: operator.user.id } })).toMatchObject({ passwordById: null })
  expect(await db().externalIdentity.count()).toBe(0)
})

test('security 63: without a mail server the link of an invitation is shown to whoever asked, once it is approved; so is a new one', async () => {
  await using scene = await openScene()
  const { approver: admin, owner } = scene
  const id = heldIdOf(await inviteMember(inputOf(admin, invitation)))
  expect((await approve(owner, id)).ok).toBe(true)
  expect(await db().invitation.count()).toBe(0)
  const first = await take(admin, id)
  expect(first).toMatchObject({ data: { email: 'new@example.org', link: expect.stringContaining('/invite?token=') } })
  const { id: invitationId, tokenHash } = await db().invitation.findFirstOrThrow()
  const again = heldIdOf(await resendInvitation(inputOf(admin, { invitationId })))
  expect(await db().invitation.findFirst()).toMatchObject({ tokenHash })
  expect((await approve(owner, again)).ok).toBe(true)
  const second = await take(admin, again)
  expect(second).toMatchObject({ data: { link: expect.stringContaining('/invite?token=') } })
  expect((await db().invitation.findFirst())?.tokenHash).not.toBe(tokenHash)
  for (const made of [first, second]) expect(await stored()).not.toContain(tokenOf(made.ok ? made.data.link : 'missing:'))
  // Whoever was shown the link may have used it.
  const token = tokenOf(second.ok ? second.data.link : 'missing:')
  expect(await accept(token)).toMatchObject({ ok: true })
  expect(await db().user.findUnique({ where: { email: 'new@example.org' } })).toMatchObject({ passwordById: admin.user.id })
})

test('security 63: an owner does not go without a second person to a link or to the file, and nothing of them is sent at a chosen time', async () => {
  await using scene = await openScene()
  const { owner, approver: admin, asker: operator } = scene
  const held = [
    heldIdOf(await createResetLink(inputOf(owner, { memberId: operator.user.id }))),
    heldIdOf(await inviteMember(inputOf(owner, invitation))),
    heldIdOf(await exportLog(inputOf(owner, { filter: '', zone: 'UTC' }))),
  ]
  for (const id of held) {
    const { digest } = await readHeld(id)
    const reason = 'Nobody else is there today'
    expect(await passHeld(inputOf(owner, { heldId: id, digest, reason }))).toMatchObject({ problem: { code: 'forbidden' } })
    const sendAt = new Date(Date.now() + 60 * minute).toISOString()
    expect(await approve(admin, id, { sendAt })).toMatchObject({ problem: { code: 'invalid' } })
  }
})

test('security 63: the export of the audit log waits for a second person, and is then a file of what there was when it was asked for', async () => {
  await using scene = await openScene()
  const { owner, approver: admin, asker: operator } = scene
  const before = heldIdOf(await scene.ask.setPassword())
  const id = heldIdOf(await exportLog(inputOf(operator, { filter: '?kind=changes', zone: 'Europe/Berlin' })))
  const limit = (await db().auditRow.findFirstOrThrow({ where: { action: 'approval.ask', objectId: id } })).seq
  expect(await findHeldView(admin, id)).toMatchObject({
    what: 'Export the audit log',
    sends: expect.arrayContaining([{ label: 'Time zone', value: 'Europe/Berlin' }]),
    takenAs: 'file',
  })
  expect((await takeExport(operator, id)).ok).toBe(false)
  expect((await approve(admin, id)).ok).toBe(true)
  await withdrawHeld(inputOf(operator, { heldId: before }))
  for (const other of [owner, admin]) expect((await takeExport(other, id)).ok).toBe(false)
  const taken = await takeExport(operator, id)
  expect(taken).toMatchObject({ ok: true, data: { zone: 'Europe/Berlin', filter: { kind: 'changes', before: limit } } })
  if (!taken.ok) return
  let csv = ''
  for await (const text of renderActivity(operator, taken.data.filter, taken.data.zone)) csv += text
  expect(csv).toContain('for a second person')
  expect(csv).not.toContain('Withdrew')
  expect((await take(operator, id)).ok).toBe(false)
})

test('security 63: a download that broke off can be repeated by whoever asked within 60 minutes, each in the audit log, and then no more', async () => {
  await using scene = await openScene()
  const { owner, approver: admin, asker: operator } = scene
  const ready = async () => {
    const id = heldIdOf(await exportLog(inputOf(operator, { filter: '', zone: 'UTC' })))
    expect((await approve(admin, id)).ok).toBe(true)
    return id
  }
  const [id, swept, untaken] = [await ready(), await ready(), await ready()]
  const first = await takeExport(operator, id)
  expect(first.ok).toBe(true)
  expect(await takeExport(operator, id)).toEqual(first)
  expect((await takeExport(operator, swept)).ok).toBe(true)
  expect((await takeExport(owner, id)).ok).toBe(false)
  const entries = await db().auditRow.findMany({ where: { requestId: id, action: 'activity.export' }, orderBy: { seq: 'asc' } })
  expect(entries.map(({ stage, actorId }) => [stage, actorId])).toEqual(
    ['intent', 'outcome', 'intent', 'outcome'].map((stage) => [stage, operator.user.id]),
  )
  expect(await verifyAudit()).toMatchObject({ ok: true })
  const approvedAt = (await readHeld(untaken)).sendAt?.getTime() ?? 0
  vi.useFakeTimers({ toFake: ['Date'], now: approvedAt + 60 * minute })
  expect((await takeExport(operator, id)).ok).toBe(false)
  await expireAllHeld()
  for (const over of [id, swept]) expect(await readHeld(over)).toMatchObject({ state: 'sent', sealed: null, kekId: null })
  expect((await readHeld(untaken)).state).toBe('expired')
})

test('security 63: a file that cannot be recorded stays to be taken; once whoever approved it lost the right, it does not', async () => {
  await using scene = await openScene()
  const { owner, approver: admin, asker: operator } = scene
  const id = heldIdOf(await exportLog(inputOf(operator, { filter: '', zone: 'UTC' })))
  expect((await approve(admin, id)).ok).toBe(true)
  const client = db()
  await client.$executeRawUnsafe("CREATE TRIGGER full BEFORE INSERT ON AuditRow BEGIN SELECT RAISE(ABORT, 'full'); END")
  expect(await takeExport(operator, id)).toMatchObject({ problem: { code: 'internal' } })
  await client.$executeRawUnsafe('DROP TRIGGER full')
  expect((await takeExport(operator, id)).ok).toBe(true)
  await endSessionsOf(admin.user.id)
  expect((await takeExport(operator, id)).ok).toBe(false)
  expect(await readHeld(id)).toMatchObject({ state: 'sent', sealed: null, problemCode: null })
  expect((await takeExport(owner, id)).ok).toBe(false)
})

test('security 63: an export that was downloaded counts as sent, whatever ends it; one that was not does not', async () => {
  await using scene = await openScene({ rule: 'exportLog' })
  const { owner, approver: admin, asker: operator } = scene
  const ready = async () => {
    const id = heldIdOf(await exportLog(inputOf(operator, { filter: '', zone: 'UTC' })))
    expect((await approve(admin, id)).ok).toBe(true)
    return id
  }
  const stateOf = async (heldId: string) => (await readHeld(heldId)).state
  const [withdrawn, refused, ended] = [await ready(), await ready(), await ready()]
  expect((await withdrawHeld(inputOf(operator, { heldId: await ready() }))).ok).toBe(true)
  expect(await db().heldRequest.count({ where: { state: 'withdrawn' } })).toBe(1)
  for (const id of [withdrawn, refused, ended]) expect((await takeExport(operator, id)).ok).toBe(true)
  expect((await withdrawHeld(inputOf(operator, { heldId: withdrawn }))).ok).toBe(true)
  expect((await refuseHeld(inputOf(admin, { heldId: refused, reason: 'Not this one' }))).ok).toBe(true)
  expect((await takeExport(operator, refused)).ok).toBe(false)
  const left = await ready()
  expect((await removeMember(inputOf(owner, { memberId: operator.user.id }))).ok).toBe(true)
  expect(await Promise.all([withdrawn, refused, ended].map(stateOf))).toEqual(['sent', 'sent', 'sent'])
  expect(await stateOf(left)).toBe('failed')
})

test('security 63: links that a second person approved stay when another line of the rule is turned on; those made alone end', async () => {
  await using scene = await openScene({ rule: 'recoveryLinks' })
  const { approver: admin, owner } = scene
  const alone = await inviteMember(inputOf(admin, { ...invitation, email: 'alone@example.org' }))
  await inviteMember(inputOf(admin, invitation))
  const { id: invitationId } = await db().invitation.findFirstOrThrow({ where: { email: invitation.email } })
  const again = heldIdOf(await resendInvitation(inputOf(admin, { invitationId })))
  expect((await approve(owner, again)).ok).toBe(true)
  const [resent, reset] = [await take(admin, again), await take(admin, await approvedReset(scene))]
  const count = async () => (await readSecondPersonRule(owner)).find(({ name }) => name === 'access')?.endsLinks
  expect(await count()).toBe(1)
  expect((await setSecondPersonRule(inputOf(owner, { names: 'access,recoveryLinks' }))).ok).toBe(true)
  const tokens = [alone, resent, reset].map((made) => tokenOf(made.ok ? made.data.link : 'missing:'))
  expect(await findInvitation(tokens[0])).toBeNull()
  expect(await findInvitation(tokens[1])).not.toBeNull()
  expect(await findRecovering(tokens[2])).not.toBeNull()
})

/** Each makes its own link, without a second person. */
const linkMakers: Record<string, (admin: Person, memberId: string) => Promise<{ ok: boolean }>> = {
  'member.resetLink': (admin, memberId) => createResetLink(inputOf(admin, { memberId })),
  'invitation.create': (admin) => inviteMember(inputOf(admin, { ...invitation, email: 'second@example.org' })),
  'invitation.resend': async (admin) => {
    const { id: invitationId } = await db().invitation.findFirstOrThrow()
    return resendInvitation(inputOf(admin, { invitationId }))
  },
}

test.each(Object.keys(linkMakers))('security 63: %s makes no link if the rule is turned on after it was checked', async (action) => {
  await using scene = await openScene({ rule: '' })
  const { approver: admin, asker: operator } = scene
  expect((await inviteMember(inputOf(admin, invitation))).ok).toBe(true)
  const before = [await db().invitation.findMany(), await db().oneTimeLink.findMany()]
  await db().$executeRawUnsafe(
    `CREATE TRIGGER turnedOn AFTER INSERT ON AuditRow WHEN NEW.stage = 'intent' AND NEW.action = '${action}' BEGIN UPDATE Team SET secondPersonFor = 'access'; END`,
  )
  expect(await linkMakers[action]?.(admin, operator.user.id)).toMatchObject({ problem: { code: 'changed_meanwhile' } })
  expect([await db().invitation.findMany(), await db().oneTimeLink.findMany()]).toEqual(before)
})
