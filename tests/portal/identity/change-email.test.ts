/** A user changes their own address: proven by a mail, confirmed in their own session. */
import { expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { type Person as Actor, findActorBySid, recheckActor } from '@/lib/portal/identity/actor'
import { confirmEmail, findNewEmail, requestEmail } from '@/lib/portal/identity/change-email'
import { createRecoveryLink, findRecovering } from '@/lib/portal/identity/recovery'
import { createRowId, hashToken } from '@/lib/portal/identity/token'
import { type MailServer, startMailServer } from '@/tests/support/mail-server'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { addPerson, device, openFor } from './people'

const tokenOf = (text: string | undefined): string => /token=([\w-]{43})/.exec(text ?? '')?.[1] ?? ''
const openWith = ({ url }: MailServer) => openPortalDatabase({ environment: { SMTP_URL: url, MAIL_FROM: 'gatehouse@example.org' } })

async function signIn() {
  const person = await addPerson()
  const { sid, sessionId } = await openFor(person)
  const actor = await recheckActor(sessionId)
  if (!actor) throw new Error('The session does not stand.')
  return { actor, sid, person }
}

async function request(actor: Actor, email: string) {
  const requested = await requestEmail(actor, email, device.peer, createRowId())
  if (requested.ok) await requested.data.sent()
  return requested
}

async function confirm(actor: Actor, token: string) {
  const confirmed = await confirmEmail(actor, token, createRowId())
  if (confirmed.ok) await confirmed.data.sent()
  return confirmed
}

test('security 16: the new address is proven by the mail; other sessions and unused links end, and the old address is notified', async () => {
  await using server = await startMailServer()
  await using portal = await openWith(server)
  const { actor, sid, person } = await signIn()
  const { sid: elsewhere } = await openFor(person)
  const recovery = new URL((await createRecoveryLink(person.email)) ?? '').searchParams.get('token')
  expect(await request(actor, ' Ada@New.example')).toMatchObject({ ok: true, data: { email: 'ada@new.example' } })
  const [mail] = server.received
  expect(mail?.to).toBe('ada@new.example')
  const token = tokenOf(mail?.text)
  expect(await portal.db.oneTimeLink.findFirst({ where: { purpose: 'email' } })).toMatchObject({ tokenHash: hashToken(token) })
  for (let n = 0; n < 3; n += 1) expect(await findNewEmail(actor, token)).toBe('ada@new.example')
  expect(await portal.db.user.count({ where: { email: person.email } })).toBe(1)
  const hourAgo = new Date(Date.now() - 3_600_000)
  await portal.db.session.updateMany({ data: { stepUpAt: hourAgo } })
  const confirmed = await confirm(actor, token)
  const next = confirmed.ok ? confirmed.data.sid : ''
  expect([await findActorBySid(sid), await findActorBySid(elsewhere)]).toEqual([null, null])
  expect(await findActorBySid(next)).toMatchObject({ user: { email: 'ada@new.example' }, stepUpAt: hourAgo })
  expect(await portal.db.user.findUnique({ where: { id: person.userId } })).toMatchObject({ emailProvenAt: expect.any(Date) })
  expect(server.received[1]).toMatchObject({ to: person.email, text: expect.stringContaining('ada@new.example') })
  expect(await findRecovering(recovery)).toBeNull()
  expect((await confirm(actor, token)).ok).toBe(false)
  const rows = await portal.db.auditRow.findMany({ where: { action: { startsWith: 'person.' } }, orderBy: { seq: 'asc' } })
  expect(rows.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual([
    'person.requestEmail done',
    'person.changeEmail asked',
    'person.changeEmail done',
  ])
  expect(JSON.stringify(rows)).not.toContain(token)
})

test('security 13: an address that somebody else has gets the same answer, and no mail', async () => {
  await using server = await startMailServer()
  await using portal = await openWith(server)
  const { actor } = await signIn()
  const other = await addPerson({ email: 'bea@example.org' })
  const shown = async (email: string) => {
    const answer = await request(actor, email)
    return { ...answer, data: answer.ok && { ...answer.data, sent: 'not shown', email: answer.data.email.replace(email, 'as given') } }
  }
  expect(await shown(other.email)).toEqual(await shown('free@example.org'))
  expect(server.received.map(({ to }) => to)).toEqual(['free@example.org'])
  // Taken after the link was mailed.
  await portal.db.user.update({ where: { id: other.userId }, data: { email: 'free@example.org' } })
  expect(await confirm(actor, tokenOf(server.received[0]?.text))).toMatchObject({
    ok: false,
    problem: { code: 'not_found' },
  })
  expect(await portal.db.oneTimeLink.count({ where: { usedAt: null } })).toBe(1)
})

test('security 19: the link is worth nothing to another user, once it has expired, or twenty times at once', async () => {
  await using server = await startMailServer()
  await using portal = await openWith(server)
  const { actor } = await signIn()
  await request(actor, 'ada@new.example')
  const token = tokenOf(server.received[0]?.text)
  const eve = await (await createTeam()).join('owner')
  expect([await findNewEmail(eve, token), (await confirm(eve, token)).ok]).toEqual([null, false])
  const { expiresAt } = await portal.db.oneTimeLink.findFirstOrThrow()
  await portal.db.oneTimeLink.updateMany({ data: { expiresAt: new Date() } })
  expect((await confirm(actor, token)).ok).toBe(false)
  await portal.db.oneTimeLink.updateMany({ data: { expiresAt } })
  const done = await Promise.all(Array.from({ length: 20 }, () => confirm(actor, token)))
  expect(done.filter(({ ok }) => ok)).toHaveLength(1)
})

test('security 12: at most three mails an hour go to one address; a text that is no address gets none', async () => {
  await using server = await startMailServer()
  await using _ = await openWith(server)
  const { actor, person } = await signIn()
  for (const given of ['', 'no address', 'ada＠new.example', person.email]) {
    expect(await request(actor, given)).toMatchObject({ ok: false, problem: { fields: { email: expect.any(String) } } })
  }
  const codes = []
  for (let n = 0; n < 4; n += 1) codes.push((await request(actor, 'ada@new.example')).ok)
  expect([codes, server.received.length]).toEqual([[true, true, true, false], 3])
})

test('where Gatehouse sends no mail nobody proves an address', async () => {
  await using _ = await openPortalDatabase()
  const { actor } = await signIn()
  expect(await request(actor, 'ada@new.example')).toMatchObject({ ok: false, problem: { code: 'forbidden' } })
  expect(await db().oneTimeLink.count()).toBe(0)
})
