import { beforeEach, expect, test, vi } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { invite } from '../../subjects/team/inviting'
import { comeBack, configureProvider, Jar, signInAtProvider, visitProvider, whoIs } from './round-trip'

const browser = vi.hoisted((): { jar: Jar | null } => ({ jar: null }))
vi.mock('next/headers', () => ({ headers: async () => new Headers(), cookies: async () => browser.jar }))

let jar = new Jar()
beforeEach(() => {
  jar = new Jar()
  browser.jar = jar
})

const ada = { sub: 'ada-1', email: 'Ada@Example.org', email_verified: true, name: 'Ada Lovelace' }

test('security 19: an open invitation and a verified address make an account without a password; the next sign-in joins by issuer and subject', async () => {
  await using portal = await openPortalDatabase()
  await using provider = await configureProvider()
  await invite(await (await createTeam()).join('owner'), { role: 'viewer' })
  provider.person = ada
  expect(await signInAtProvider('/activity?kind=keys')).toBe('/activity?kind=keys')
  expect(await whoIs(jar)).toMatchObject({ user: { name: 'Ada Lovelace', email: 'ada@example.org' }, role: 'viewer' })
  const user = await portal.db.user.findUniqueOrThrow({ where: { email: 'ada@example.org' }, include: { externalIdentities: true } })
  expect(user).toMatchObject({ passwordHash: null, emailProvenAt: expect.any(Date) })
  expect(user.externalIdentities).toMatchObject([{ issuer: provider.issuer, subject: 'ada-1' }])
  expect(await portal.db.invitation.count({ where: { acceptedAt: null } })).toBe(0)
  expect(await portal.db.session.findMany({ where: { userId: user.id } })).toMatchObject([{ via: 'singleSignOn', awaits: null }])
  jar.clear()
  provider.person = { sub: 'ada-1', email: 'ada.king@example.org', email_verified: false }
  expect(await signInAtProvider()).toBe('/')
  expect(await whoIs(jar)).toMatchObject({ user: { email: 'ada@example.org' } })
})

test('an address that only the userinfo endpoint gives counts as well', async () => {
  await using _ = await openPortalDatabase()
  await using provider = await configureProvider({ inIdToken: false })
  await invite(await (await createTeam()).join('owner'))
  provider.person = ada
  expect(await signInAtProvider()).toBe('/')
  expect(await whoIs(jar)).toMatchObject({ role: 'operator' })
})

test('security 19: without an invitation, with an unverified address, or disabled: nobody gets in and nothing is made', async () => {
  await using portal = await openPortalDatabase()
  await using provider = await configureProvider()
  const team = await createTeam()
  await invite(await team.join('owner'), { email: 'other@example.org' })
  provider.person = ada
  expect(await signInAtProvider()).toBe('/sign-in?sso=unknown')
  provider.person = { ...ada, sub: 'x', email: 'other@example.org', email_verified: false }
  expect(await signInAtProvider()).toBe('/sign-in?sso=unverified')
  provider.person = { ...ada, sub: 'x', email: 'other@example.org', email_verified: 'true' }
  expect(await signInAtProvider()).toBe('/sign-in?sso=unverified')
  provider.person = { ...ada, sub: 'y', email: 'other@example.org' }
  expect(await signInAtProvider()).toBe('/')
  await portal.db.user.updateMany({ where: { email: 'other@example.org' }, data: { disabledAt: new Date() } })
  expect(await signInAtProvider()).toBe('/sign-in?sso=unknown')
  expect(await whoIs(jar)).toBeNull()
  expect(await portal.db.user.count()).toBe(2)
})

test('security 17: a tampered state, nonce or PKCE verifier, a replayed code and a cancelled sign-in open nothing', async () => {
  await using portal = await openPortalDatabase()
  await using provider = await configureProvider()
  await invite(await (await createTeam()).join('owner'))
  provider.person = ada
  for (const cookie of ['state', 'nonce', 'pkce']) {
    jar.clear()
    const to = await visitProvider()
    const own = jar.getAll().find(({ name }) => name.endsWith(cookie))
    await visitProvider()
    const others = jar.getAll().find(({ name }) => name.endsWith(cookie))
    expect([own?.value === others?.value, cookie]).toEqual([false, cookie])
    expect([cookie, await comeBack(to)]).toEqual([cookie, '/sign-in?sso=failed'])
  }
  const changed = await visitProvider()
  changed.searchParams.set('state', 'a'.repeat(43))
  expect(await comeBack(changed)).toBe('/sign-in?sso=failed')
  const bare = new URL(changed)
  bare.search = ''
  expect(await comeBack(bare)).toBe('/sign-in?sso=failed')
  provider.person = null
  expect(await signInAtProvider()).toBe('/sign-in?sso=cancelled')
  expect(await portal.db.session.count({ where: { via: 'singleSignOn' } })).toBe(0)
  provider.person = ada
  const to = await visitProvider()
  const checks = jar.getAll()
  expect(await comeBack(to)).toBe('/')
  jar.clear()
  for (const cookie of checks) jar.set(cookie)
  expect(await comeBack(to)).toBe('/sign-in?sso=failed')
  expect(await whoIs(jar)).toBeNull()
})

test('security 20: the page to return to is never another site', async () => {
  await using _ = await openPortalDatabase()
  await using provider = await configureProvider()
  await invite(await (await createTeam()).join('owner'))
  provider.person = ada
  for (const back of ['//evil.example', 'https://evil.example/x', '/\\evil.example', 'javascript:alert(1)', '/api/auth/signin']) {
    expect([back, await signInAtProvider(back)]).toEqual([back, '/'])
    expect(await db().externalIdentity.count()).toBe(1)
  }
})
