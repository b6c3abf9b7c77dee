import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { findActorBySid, isLiveSid } from '@/lib/portal/identity/actor'
import { describeCookie, openSid } from '@/lib/portal/identity/cookie'
import { removeTotp } from '@/lib/portal/identity/second-factor/totp'
import { abandonSignIn, finishSignInBrowser, signInAgainBrowser, signInBrowser } from '@/lib/portal/identity/sign-in-browser'
import { createRowId } from '@/lib/portal/identity/token'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { addPerson, password } from '../people'
import { addActorWithApp } from './authenticator'

type SetCookie = { name: string; value: string }

const jar = vi.hoisted((): { cookies: Map<string, SetCookie> } => ({ cookies: new Map() }))

vi.mock('next/headers', () => ({
  headers: async () => new Headers(),
  cookies: async () => ({
    get: (name: string) => jar.cookies.get(name),
    set: (cookie: SetCookie) => void jar.cookies.set(cookie.name, cookie),
  }),
}))

beforeEach(() => {
  jar.cookies.clear()
  vi.useFakeTimers({ toFake: ['Date'], now: Math.floor(Date.now() / 30_000) * 30_000 + 5_000 })
})
afterEach(() => void vi.useRealTimers())

const carriedSid = async () => (await openSid(jar.cookies.get(describeCookie('session').name)?.value ?? '')) ?? ''
const enterPassword = () => signInBrowser({ email: 'ada@example.org', password })
const wrong = { code: 'invalid', fields: { code: expect.any(String) } }

test('security 17: after the password alone nobody is signed in; after the code the session has a new id', async () => {
  await using _ = await openPortalDatabase()
  const { app } = await addActorWithApp()
  expect(await enterPassword()).toEqual({ ok: true, data: { awaits: 'secondFactor' } })
  const sid = await carriedSid()
  expect(await findActorBySid(sid)).toBeNull()
  expect(jar.cookies.has(describeCookie('device').name)).toBe(false)
  expect(await finishSignInBrowser(app.codeAt(0))).toBeNull()
  const next = await carriedSid()
  expect(next).not.toBe(sid)
  expect([await isLiveSid(sid), (await findActorBySid(next))?.user.email]).toEqual([false, 'ada@example.org'])
  expect(jar.cookies.has(describeCookie('device').name)).toBe(true)
  expect(await finishSignInBrowser(app.codeAt(1))).toMatchObject({ code: 'invalid' })
})

test('a recovery code finishes the sign-in, once, and the log says so', async () => {
  await using portal = await openPortalDatabase()
  const { codes } = await addActorWithApp()
  await enterPassword()
  expect(await finishSignInBrowser(codes[0] ?? '')).toBeNull()
  await enterPassword()
  expect(await finishSignInBrowser(codes[0] ?? '')).toMatchObject(wrong)
  const rows = await portal.db.auditRow.findMany({ where: { action: 'session.secondFactor' }, orderBy: { seq: 'asc' } })
  expect(rows.map(({ outcome, detail }) => [outcome, JSON.parse(detail)])).toMatchObject([
    ['done', { via: 'a recovery code' }],
    ['failed', { reason: 'wrong code' }],
  ])
})

test('security 12: wrong codes are counted separately: the right password again does not buy more attempts', async () => {
  await using _ = await openPortalDatabase()
  const { app } = await addActorWithApp()
  for (let n = 0; n < 5; n += 1) {
    await enterPassword()
    expect(await finishSignInBrowser('000000')).toMatchObject(wrong)
  }
  await enterPassword()
  expect(await finishSignInBrowser(app.codeAt(0))).toMatchObject({ code: 'too_many' })
  expect(await findActorBySid(await carriedSid())).toBeNull()
})

test('a half sign-in ends after ten minutes, when somebody starts over, and when the user is disabled', async () => {
  await using _ = await openPortalDatabase()
  const { person, app } = await addActorWithApp()
  await enterPassword()
  await db().session.updateMany({ data: { stepUpAt: new Date(Date.now() - 11 * 60_000) } })
  expect(await finishSignInBrowser(app.codeAt(0))).toMatchObject({ code: 'invalid' })
  await enterPassword()
  const sid = await carriedSid()
  await abandonSignIn()
  expect(await isLiveSid(sid)).toBe(false)
  await enterPassword()
  await db().user.update({ where: { id: person.userId }, data: { disabledAt: new Date() } })
  expect(await finishSignInBrowser(app.codeAt(0))).toMatchObject({ code: 'invalid' })
})

test('a code of somebody else does not finish the sign-in, and without the app the password suffices again', async () => {
  await using _ = await openPortalDatabase()
  const { actor } = await addActorWithApp()
  const other = await addPerson({ email: 'bea@example.org' })
  await enterPassword()
  await db().totp.updateMany({ data: { userId: other.userId } })
  expect(await finishSignInBrowser('123456')).toMatchObject(wrong)
  await db().totp.updateMany({ data: { userId: actor.user.id } })
  await removeTotp(actor, createRowId())
  expect(await enterPassword()).toEqual({ ok: true, data: { awaits: null } })
})

test('signing in again over a page needs password and code at once; before that it sets no cookie and leaves no session', async () => {
  await using portal = await openPortalDatabase()
  const { app } = await addActorWithApp()
  await portal.db.session.deleteMany()
  const again = (code: string) => signInAgainBrowser({ email: 'ada@example.org', password }, code)
  for (const code of ['', '000000']) expect([code, await again(code)]).toMatchObject([code, wrong])
  expect([jar.cookies.size, await portal.db.session.count({ where: { revokedAt: null } })]).toEqual([0, 0])
  expect(await again(app.codeAt(0))).toBeNull()
  expect((await findActorBySid(await carriedSid()))?.user.email).toBe('ada@example.org')
})
