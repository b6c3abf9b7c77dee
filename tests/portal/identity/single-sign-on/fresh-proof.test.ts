import { beforeEach, expect, test, vi } from 'vitest'
import { signInAfresh } from '@/app/_shared/session/actions'
import { db } from '@/lib/portal/base/db'
import { stepUp } from '@/lib/portal/identity/step-up'
import { getSettings } from '@/lib/settings/settings'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { addPerson } from '../people'
import { comeBack, configureProvider, Jar, signInAtProvider, visitProvider, whoIs } from './round-trip'

const browser = vi.hoisted((): { jar: Jar | null; to: string } => ({ jar: null, to: '' }))
vi.mock('next/headers', () => ({
  headers: async () => new Headers({ origin: getSettings().publicUrl.origin, host: getSettings().publicUrl.host }),
  cookies: async () => browser.jar,
}))
vi.mock('next/navigation', () => ({
  redirect: (to: string) => {
    browser.to = to
  },
}))

let jar = new Jar()
beforeEach(() => {
  jar = new Jar()
  browser.jar = jar
})

const proof = { password: '', code: '', passkey: '' }
const confirm = async () => {
  const actor = await whoIs(jar)
  if (!actor) throw new Error('nobody is signed in')
  return stepUp(actor, proof)
}

async function prepare() {
  const provider = await configureProvider()
  const { userId, email } = await addPerson({ role: 'admin' })
  await db().externalIdentity.create({ data: { issuer: provider.issuer, subject: 'a', userId } })
  await db().user.updateMany({ data: { passwordHash: null } })
  provider.person = { sub: 'a', email, email_verified: true }
  return provider
}

test('security 21: single sign-on that may have been silent confirms nothing; one for which the provider asked for the password does, for 5 minutes', async () => {
  await using _ = await openPortalDatabase()
  await using _provider = await prepare()
  expect(await signInAtProvider()).toBe('/')
  expect(await confirm()).toMatchObject({ fields: { signIn: expect.any(String) } })
  expect(await signInAtProvider('/', { reauthenticate: true })).toBe('/')
  expect(await confirm()).toBeNull()
  const { stepUpAt } = await db().session.findFirstOrThrow({ where: { revokedAt: null } })
  expect(stepUpAt.getTime()).toBeGreaterThan(Date.now() - 60_000)
  expect(stepUpAt.getTime()).toBeLessThanOrEqual(Date.now())
})

test('security 21: signing in again to confirm asks the provider for the password, and does not sign out first', async () => {
  await using _ = await openPortalDatabase()
  await using provider = await prepare()
  await signInAtProvider()
  const form = new FormData()
  form.set('back', '/team')
  await signInAfresh(null, form)
  const { origin, searchParams } = new URL(browser.to)
  expect(origin).toBe(new URL(provider.issuer).origin)
  expect([searchParams.get('prompt'), searchParams.get('max_age')]).toEqual(['login', '0'])
  expect(await whoIs(jar)).not.toBeNull()
})

test('security 12: an answer that no sign-in of this browser asked for makes no call, and the others are counted', async () => {
  await using _ = await openPortalDatabase()
  await using provider = await prepare()
  const answer = await visitProvider()
  const { calls } = provider
  jar.clear()
  expect(await comeBack(answer)).toBe('/sign-in?sso=failed')
  expect(provider.calls).toBe(calls)
  await db().signInThrottle.updateMany({ data: { failures: 59 } })
  expect(await comeBack(await visitProvider())).toBe('/sign-in?sso=failed')
  await expect(visitProvider()).rejects.toThrow('Too many attempts')
})
