/** A team requires a second factor: what the password alone opens then, and how the first factor is set up. */
import { expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { findActorBySid, findAwaitingBySid } from '@/lib/portal/identity/actor'
import { finishSetUp, startSetUp } from '@/lib/portal/identity/second-factor/set-up'
import { removeTotp } from '@/lib/portal/identity/second-factor/totp'
import { createRowId } from '@/lib/portal/identity/token'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { addPerson, openFor, type Person } from '../people'
import { addActorWithApp, scan } from './authenticator'

const requireFactor = () => db().team.updateMany({ data: { requiresSecondFactor: true } })

/** The half session that the password opens. */
async function openHalf(person: Person) {
  const { sid } = await openFor(person)
  const awaiting = await findAwaitingBySid(sid)
  expect([await findActorBySid(sid), awaiting?.awaits]).toEqual([null, 'secondFactorSetup'])
  return { sid, awaiting }
}

test('security 21: where the team requires it, a member without a second factor is signed in only once one is set up', async () => {
  await using portal = await openPortalDatabase()
  const person = await addPerson()
  const { sessionId: running } = await openFor(person)
  await requireFactor()
  const { sid, awaiting } = await openHalf(person)
  const started = await startSetUp(awaiting)
  const app = scan(started.ok ? started.data.secret : '')
  expect(await finishSetUp(awaiting, '000000')).toMatchObject({ ok: false, problem: { fields: { code: expect.any(String) } } })
  expect(await findActorBySid(sid)).toBeNull()
  const finished = await finishSetUp(awaiting, app.codeAt(0))
  expect(finished).toMatchObject({ ok: true, data: { codes: { length: 10 } } })
  const next = finished.ok ? finished.data.sid : ''
  expect([next === sid, await findActorBySid(sid), (await findActorBySid(next))?.user.email]).toEqual([false, null, person.email])
  // A session that was open when the rule was turned on stays open.
  expect(await portal.db.session.findUnique({ where: { id: running } })).toMatchObject({ awaits: null, revokedAt: null })
})

test('security 21: a half session cannot add a second factor to an account that got one in another browser', async () => {
  await using portal = await openPortalDatabase()
  const person = await addPerson()
  await requireFactor()
  const [own, guessed] = [await openHalf(person), await openHalf(person)]
  const started = await startSetUp(own.awaiting)
  const app = scan(started.ok ? started.data.secret : '')
  expect((await finishSetUp(own.awaiting, app.codeAt(-1))).ok).toBe(true)
  expect((await startSetUp(guessed.awaiting)).ok).toBe(false)
  expect((await finishSetUp(guessed.awaiting, app.codeAt(0))).ok).toBe(false)
  expect(await findActorBySid(guessed.sid)).toBeNull()
  expect(await portal.db.session.count({ where: { awaits: null } })).toBe(1)
})

test('nobody else can set one up: not without a session, and not while a code is awaited', async () => {
  await using _ = await openPortalDatabase()
  const { person } = await addActorWithApp()
  const { sid } = await openFor(person)
  const awaiting = await findAwaitingBySid(sid)
  expect(awaiting?.awaits).toBe('secondFactor')
  for (const each of [null, awaiting]) expect([(await startSetUp(each)).ok, (await finishSetUp(each, '123456')).ok]).toEqual([false, false])
})

test('security 21: where single sign-on is required, an owner sets up a second factor and keeps it; others need none', async () => {
  await using portal = await openPortalDatabase()
  const { actor, person } = await addActorWithApp()
  await portal.db.team.updateMany({ data: { requiresSingleSignOn: true } })
  expect(await removeTotp(actor, createRowId())).toMatchObject({ ok: false, problem: { code: 'forbidden' } })
  await portal.db.totp.deleteMany()
  await openHalf(person)
  await portal.db.membership.updateMany({ data: { role: 'admin' } })
  await openFor(person)
  expect(await portal.db.session.findFirst({ orderBy: { createdAt: 'desc' } })).toMatchObject({ awaits: null })
})

test('while the team requires one the last second factor cannot be removed; a passkey besides it lets the app go', async () => {
  await using portal = await openPortalDatabase()
  const { actor, person } = await addActorWithApp()
  await requireFactor()
  expect(await removeTotp(actor, createRowId())).toMatchObject({ ok: false, problem: { code: 'forbidden' } })
  expect([await portal.db.totp.count(), await portal.db.recoveryCode.count()]).toEqual([1, 10])
  const key = { id: 'p', label: 'x', publicKey: new Uint8Array(1), counter: 0, transports: '', backedUp: false }
  await portal.db.passkey.create({ data: { ...key, userId: person.userId } })
  expect((await removeTotp(actor, createRowId())).ok).toBe(true)
})
