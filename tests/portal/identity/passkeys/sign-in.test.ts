import { beforeEach, expect, test, vi } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { findActorBySid } from '@/lib/portal/identity/actor'
import { describeCookie, openSid } from '@/lib/portal/identity/cookie'
import { askPasskeyOfBrowser, signInAgainBrowserWithPasskey, signInBrowserWithPasskey } from '@/lib/portal/identity/passkeys/browser'
import { askPasskey } from '@/lib/portal/identity/passkeys/options'
import { signInBrowser } from '@/lib/portal/identity/sign-in-browser'
import { stepUp } from '@/lib/portal/identity/step-up'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { device, password } from '../people'
import { addActorWithApp } from '../second-factor/authenticator'
import { softPasskey } from './authenticator'
import { addActorWithPasskey, forgetPassword } from './people'

type SetCookie = { name: string; value: string }

const jar = vi.hoisted((): { cookies: Map<string, SetCookie> } => ({ cookies: new Map() }))

vi.mock('next/headers', () => ({
  headers: async () => new Headers(),
  cookies: async () => ({
    get: (name: string) => jar.cookies.get(name),
    set: (cookie: SetCookie) => void jar.cookies.set(cookie.name, cookie),
  }),
}))

beforeEach(() => jar.cookies.clear())

const carriedSid = async () => (await openSid(jar.cookies.get(describeCookie('session').name)?.value ?? '')) ?? ''
const carried = async () => findActorBySid(await carriedSid())
const refused = { code: 'invalid', fields: { passkey: 'This passkey was not accepted. Try again.' } }

async function ask() {
  const asked = await askPasskeyOfBrowser()
  if (!asked.ok) throw new Error(asked.problem.sentence)
  return asked.data.options
}

test('security 17: a passkey alone signs in, under a new session id, and nothing more is awaited', async () => {
  await using _ = await openPortalDatabase()
  const { passkey } = await addActorWithPasskey()
  const options = await ask()
  expect(options).toMatchObject({ rpId: 'localhost', userVerification: 'required', allowCredentials: [] })
  expect(await signInBrowserWithPasskey(passkey.use(options))).toBeNull()
  const sid = await carriedSid()
  expect(await carried()).toMatchObject({ user: { email: 'ada@example.org' } })
  expect(await db().session.count({ where: { via: 'passkey', awaits: null } })).toBe(1)
  expect(await signInBrowserWithPasskey(passkey.use(await ask()))).toBeNull()
  expect([await findActorBySid(sid), (await carried())?.user.email]).toEqual([null, 'ada@example.org'])
})

test('security 16: where single sign-on is required, a member’s passkey is refused and recorded as refused; an owner’s signs in', async () => {
  await using portal = await openPortalDatabase()
  const { passkey } = await addActorWithPasskey()
  await portal.db.team.updateMany({ data: { requiresSingleSignOn: true } })
  expect(await signInBrowserWithPasskey(passkey.use(await ask()))).toBeNull()
  await portal.db.membership.updateMany({ data: { role: 'viewer' } })
  jar.cookies.clear()
  const sessions = await db().session.count()
  expect(await signInBrowserWithPasskey(passkey.use(await ask()))).toMatchObject({ code: 'forbidden' })
  expect([await carried(), await db().session.count()]).toEqual([null, sessions])
  const newest = await db().auditRow.findFirst({ where: { action: 'session.signIn' }, orderBy: { seq: 'desc' } })
  expect(newest).toMatchObject({ outcome: 'failed', detail: expect.stringContaining('single sign-on is required') })
})

test('security 14: of 20 uses of one challenge at once one signs in; one of another browser does not', async () => {
  await using _ = await openPortalDatabase()
  const { passkey } = await addActorWithPasskey()
  const options = await ask()
  const before = new Map(jar.cookies)
  const answers = await Promise.all(Array.from({ length: 20 }, () => signInBrowserWithPasskey(passkey.use(options))))
  expect(answers.filter((answer) => answer === null)).toHaveLength(1)
  jar.cookies = new Map(before)
  const mine = await ask()
  jar.cookies.clear()
  await ask()
  expect(await signInBrowserWithPasskey(passkey.use(mine))).toMatchObject(refused)
})

test('security 12: unknown, falsified, disabled, removed and ended: the same words for all, and nobody is signed in', async () => {
  await using _ = await openPortalDatabase()
  const { passkey, actor } = await addActorWithPasskey()
  const userId = actor.user.id
  const attempt = async (...falsified: Parameters<typeof passkey.use> extends [unknown, ...infer Rest] ? Rest : never) =>
    signInBrowserWithPasskey(passkey.use(await ask(), ...falsified))
  expect(await signInBrowserWithPasskey(softPasskey(userId).use(await ask()))).toMatchObject(refused)
  const foreignKey = softPasskey(userId, Buffer.from(passkey.id, 'base64url'))
  expect(await signInBrowserWithPasskey(foreignKey.use(await ask()))).toMatchObject(refused)
  for (const falsified of [{ rpId: 'evil.test' }, { origin: 'https://evil.test' }, { verified: false }, { userHandle: 'ZXZl' }])
    expect([falsified, await attempt(falsified)]).toMatchObject([falsified, refused])
  for (const text of ['', 'null', '{"id":{}}', '__proto__']) expect(await signInBrowserWithPasskey(text)).toMatchObject(refused)
  await db().user.update({ where: { id: userId }, data: { disabledAt: new Date() } })
  expect(await attempt()).toMatchObject(refused)
  await db().user.update({ where: { id: userId }, data: { disabledAt: null } })
  await db().membership.updateMany({ data: { endsAt: new Date(Date.now() - 1) } })
  expect(await attempt()).toMatchObject(refused)
  await db().membership.deleteMany()
  expect(await attempt()).toMatchObject(refused)
  expect(await carried()).toBeNull()
})

test('security 12: at most 60 challenges a minute for one network address', async () => {
  await using _ = await openPortalDatabase()
  for (let n = 0; n < 60; n += 1) await ask()
  expect(await askPasskeyOfBrowser()).toMatchObject({ ok: false, problem: { code: 'too_many' } })
  expect(await db().passkeyChallenge.count()).toBe(60)
})

test('security 12: what answers no challenge is counted for the network address too', async () => {
  await using _ = await openPortalDatabase()
  await ask()
  for (let n = 0; n < 59; n += 1) expect(await signInBrowserWithPasskey('{}')).toMatchObject(refused)
  expect(await signInBrowserWithPasskey('{}')).toMatchObject({ code: 'too_many' })
})

test('security 14: a counter that goes back is refused and logged; an authenticator that keeps none is accepted', async () => {
  await using _ = await openPortalDatabase()
  const { passkey } = await addActorWithPasskey()
  const attempt = async (counter: number) => signInBrowserWithPasskey(passkey.use(await ask(), { counter }))
  expect([await attempt(0), await attempt(0), await attempt(7)]).toEqual([null, null, null])
  for (const counter of [7, 6, 0]) expect(await attempt(counter)).toMatchObject(refused)
  const rows = await db().auditRow.findMany({ where: { action: 'session.signIn', outcome: 'failed' } })
  expect(rows.map(({ detail }) => JSON.parse(detail).reason)).toEqual(Array(3).fill('counter went back'))
  expect(await attempt(4_294_967_295)).toBeNull()
})

test('security 17: after the password, the passkey of that user finishes the sign-in under a new id, and no other one', async () => {
  await using _ = await openPortalDatabase()
  const eve = await addActorWithPasskey({ email: 'eve@example.org' })
  const { passkey } = await addActorWithPasskey()
  await signInBrowser({ email: 'ada@example.org', password })
  const sid = await carriedSid()
  const options = await ask()
  expect(options.allowCredentials).toMatchObject([{ id: passkey.id }])
  expect(await signInBrowserWithPasskey(eve.passkey.use(options))).toMatchObject(refused)
  expect(await carried()).toBeNull()
  expect(await signInBrowserWithPasskey(passkey.use(await ask()))).toBeNull()
  expect([(await carried())?.user.email, (await carriedSid()) === sid]).toEqual(['ada@example.org', false])
  const row = await db().auditRow.findFirstOrThrow({ where: { action: 'session.secondFactor', outcome: 'done' } })
  expect(JSON.parse(row.detail)).toMatchObject({ via: 'a passkey' })
})

test('over a page, only the account of that page may sign in again', async () => {
  await using _ = await openPortalDatabase()
  const { passkey } = await addActorWithPasskey()
  const other = await signInAgainBrowserWithPasskey(passkey.use(await ask()), 'mira@example.org')
  expect([other?.fields?.passkey, await carried()]).toEqual([expect.stringContaining('another account'), null])
  expect(await signInAgainBrowserWithPasskey(passkey.use(await ask()), 'ada@example.org')).toBeNull()
  expect(await carried()).not.toBeNull()
})

const old = <T extends object>(actor: T) => ({ ...actor, stepUpAt: new Date(Date.now() - 600_000) })
const proof = { password: '', code: '', passkey: '' }

test('security 21: step-up by passkey answers a challenge of this session made for that, once, and renews the id', async () => {
  await using _ = await openPortalDatabase()
  const { passkey, actor } = await addActorWithPasskey()
  const askFor = async (purpose: 'stepUp' | 'signIn') => {
    const asked = await askPasskey({ purpose, boundTo: actor.sessionId }, device.peer, actor.user.id)
    if (!asked.ok) throw new Error(asked.problem.sentence)
    return asked.data.options
  }
  expect(await stepUp(old(actor), { ...proof, passkey: passkey.use(await askFor('signIn')) })).toMatchObject(refused)
  const given = { ...proof, passkey: passkey.use(await askFor('stepUp')) }
  const before = await db().session.findFirstOrThrow({ where: { id: actor.sessionId } })
  expect(await stepUp(old(actor), given)).toBeNull()
  expect((await db().session.findFirstOrThrow({ where: { id: actor.sessionId } })).sidHash).not.toBe(before.sidHash)
  expect(await stepUp(old(actor), given)).toMatchObject(refused)
})

test('security 21: step-up names the ways that a user has; a code works once, a recovery code never', async () => {
  await using _ = await openPortalDatabase()
  const { actor, app, codes } = await addActorWithApp()
  const ways = async () => Object.keys((await stepUp(old(actor), proof))?.fields ?? {})
  expect(await ways()).toEqual(['password', 'code'])
  await forgetPassword(actor.user.id)
  expect(await ways()).toEqual(['code'])
  expect(await stepUp(old(actor), { ...proof, code: codes[0] ?? '' })).toMatchObject({ fields: { code: expect.any(String) } })
  const code = app.codeAt(1)
  expect(await stepUp(old(actor), { ...proof, code })).toBeNull()
  expect(await stepUp(old(actor), { ...proof, code })).toMatchObject({ fields: { code: expect.any(String) } })
  await db().totp.deleteMany()
  expect(await ways()).toEqual(['signIn'])
})
