import { beforeEach, expect, test, vi } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { findActorBySid } from '@/lib/portal/identity/actor'
import { describeCookie, openSid } from '@/lib/portal/identity/cookie'
import { signInBrowser } from '@/lib/portal/identity/sign-in-browser'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { addPerson, openFor, password } from './people'

type SetCookie = { name: string; value: string; httpOnly?: boolean; sameSite?: string; path?: string }

const jar = vi.hoisted((): { cookies: Map<string, SetCookie> } => ({ cookies: new Map() }))

vi.mock('next/headers', () => ({
  headers: async () => new Headers(),
  cookies: async () => ({
    get: (name: string) => jar.cookies.get(name),
    set: (cookie: SetCookie) => void jar.cookies.set(cookie.name, cookie),
  }),
}))

beforeEach(() => jar.cookies.clear())

const carriedSid = async () => openSid(jar.cookies.get(describeCookie('session').name)?.value ?? '')

test('security 17: a password sign-in ends in next-auth’s callbacks: its cookie contains a new session id, and nothing else is set but the device', async () => {
  await using _ = await openPortalDatabase()
  await addPerson()
  expect(await signInBrowser({ email: 'ada@example.org', password })).toEqual({ ok: true, data: { awaits: null } })
  const sid = (await carriedSid()) ?? ''
  expect(await findActorBySid(sid)).toMatchObject({ user: { email: 'ada@example.org' } })
  expect([...jar.cookies.keys()].sort()).toEqual([describeCookie('device').name, describeCookie('session').name])
  expect(jar.cookies.get(describeCookie('session').name)).toMatchObject({ httpOnly: true, sameSite: 'lax', path: '/' })
  await signInBrowser({ email: 'ada@example.org', password })
  expect(await carriedSid()).not.toBe(sid)
  expect(await findActorBySid(sid)).toBeNull()
})

test('a wrong password sets no cookie and says so; waiting is passed on too', async () => {
  await using _ = await openPortalDatabase()
  await addPerson()
  const answer = await signInBrowser({ email: 'ada@example.org', password: 'wrong' })
  expect(answer).toMatchObject({ ok: false, problem: { code: 'invalid', sentence: 'Wrong email address or password.' } })
  for (let n = 0; n < 4; n += 1) await signInBrowser({ email: 'ada@example.org', password: 'wrong' })
  expect(await signInBrowser({ email: 'ada@example.org', password })).toMatchObject({ ok: false, problem: { code: 'too_many' } })
  expect(jar.cookies.size).toBe(0)
  expect(await db().session.count()).toBe(0)
})

test('a team that requires a second factor lets nobody in with a password alone', async () => {
  await using _ = await openPortalDatabase()
  const person = await addPerson()
  await db().team.updateMany({ data: { requiresSecondFactor: true } })
  const { sid } = await openFor(person)
  expect(await findActorBySid(sid)).toBeNull()
  expect(await signInBrowser({ email: 'ada@example.org', password })).toEqual({ ok: true, data: { awaits: 'secondFactorSetup' } })
  expect(await findActorBySid((await carriedSid()) ?? '')).toBeNull()
  expect([...jar.cookies.keys()]).toEqual([describeCookie('session').name])
})
