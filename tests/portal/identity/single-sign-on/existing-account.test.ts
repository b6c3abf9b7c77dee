import { beforeEach, expect, test, vi } from 'vitest'
import { writeSid } from '@/lib/portal/identity/cookie'
import { openSession } from '@/lib/portal/identity/session'
import { signInBrowser } from '@/lib/portal/identity/sign-in-browser'
import { disconnectProvider, findOwnProvider } from '@/lib/portal/identity/single-sign-on/own-provider'
import { createRowId } from '@/lib/portal/identity/token'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { addPerson, device, openFor, password } from '../people'
import { configureProvider, Jar, signInAtProvider, whoIs } from './round-trip'

const browser = vi.hoisted((): { jar: Jar | null } => ({ jar: null }))
vi.mock('next/headers', () => ({ headers: async () => new Headers(), cookies: async () => browser.jar }))

let jar = new Jar()
beforeEach(() => {
  jar = new Jar()
  browser.jar = jar
})

const claims = { sub: 'ada-1', email: 'ada@example.org', email_verified: true, name: 'Ada' }
const credentials = { email: 'ada@example.org', password }

test('security 17: an existing account is joined only after a fresh sign-in to it in the same browser; until then nobody is signed in', async () => {
  await using portal = await openPortalDatabase()
  await using provider = await configureProvider()
  await addPerson({ role: 'admin' })
  await portal.db.user.updateMany({ data: { emailProvenAt: new Date() } })
  provider.person = claims
  expect(await signInAtProvider()).toBe('/sign-in?sso=confirm')
  expect([await whoIs(jar), await portal.db.externalIdentity.count()]).toEqual([null, 0])
  // Another browser carries nothing to join.
  const first = jar
  jar = new Jar()
  browser.jar = jar
  await signInBrowser(credentials)
  expect(await portal.db.externalIdentity.count()).toBe(0)
  browser.jar = first
  expect((await signInBrowser({ ...credentials, password: 'wrong' })).ok).toBe(false)
  expect(await portal.db.externalIdentity.count()).toBe(0)
  expect(await signInBrowser(credentials)).toEqual({ ok: true, data: { awaits: null } })
  expect(await portal.db.externalIdentity.findMany()).toMatchObject([{ issuer: provider.issuer, subject: 'ada-1' }])
  expect(await portal.db.user.findFirst()).toMatchObject({ passwordHash: expect.any(String) })
  first.clear()
  expect(await signInAtProvider()).toBe('/')
  expect(await whoIs(first)).toMatchObject({ user: { email: 'ada@example.org' }, role: 'admin' })
})

test('security 17: a pending join does not help somebody who signs in to another account', async () => {
  await using portal = await openPortalDatabase()
  await using provider = await configureProvider()
  await addPerson()
  await addPerson({ email: 'eve@example.org' })
  provider.person = claims
  await signInAtProvider()
  expect((await signInBrowser({ email: 'eve@example.org', password })).ok).toBe(true)
  expect((await signInBrowser(credentials)).ok).toBe(true)
  expect(await portal.db.externalIdentity.count()).toBe(0)
})

test.each(['operator', 'owner'] as const)(
  'security 19: an unproven account of an %s loses other sessions when it is joined, and its password unless an owner’s',
  async (role) => {
    await using portal = await openPortalDatabase()
    await using provider = await configureProvider()
    const person = await addPerson({ role })
    const other = await openFor(person)
    const { userId } = person
    provider.person = claims
    await signInAtProvider()
    expect((await signInBrowser(credentials)).ok).toBe(true)
    const user = await portal.db.user.findUniqueOrThrow({ where: { id: userId } })
    expect([user.passwordHash === null, user.emailProvenAt === null]).toEqual([role === 'operator', false])
    expect(await portal.db.session.count({ where: { id: other.sessionId, revokedAt: null } })).toBe(0)
    expect(await whoIs(jar)).toMatchObject({ user: { id: userId } })
  },
)

test('security 19: the same address at another issuer, or with another subject, is refused', async () => {
  await using portal = await openPortalDatabase()
  await using provider = await configureProvider()
  const { userId } = await addPerson()
  await portal.db.externalIdentity.create({ data: { issuer: 'https://other.example', subject: 'ada-1', userId } })
  provider.person = claims
  expect(await signInAtProvider()).toBe('/sign-in?sso=taken')
  await portal.db.externalIdentity.updateMany({ data: { issuer: provider.issuer, subject: 'ada-0' } })
  expect(await signInAtProvider()).toBe('/sign-in?sso=taken')
  expect([await whoIs(jar), await portal.db.externalIdentity.count()]).toEqual([null, 1])
})

test('security 21: somebody who signed in a moment ago connects the provider directly, and disconnects it unless it is the last way in', async () => {
  await using portal = await openPortalDatabase()
  await using provider = await configureProvider()
  const person = await addPerson()
  await writeSid(await openSession({ userId: person.userId, teamId: person.teamId }, device))
  provider.person = claims
  expect(await signInAtProvider('/account')).toBe('/account')
  const actor = await whoIs(jar)
  if (!actor) throw new Error('nobody is signed in')
  expect(await findOwnProvider(actor)).toMatchObject({ connected: { name: 'Example ID' }, offered: null, stays: null })
  await portal.db.team.updateMany({ data: { requiresSingleSignOn: true } })
  expect((await findOwnProvider(actor)).stays).toBeNull()
  await portal.db.membership.updateMany({ data: { role: 'viewer' } })
  expect((await findOwnProvider(actor)).stays).toBe('Your team requires single sign-on.')
  await portal.db.user.updateMany({ data: { passwordHash: null } })
  expect((await findOwnProvider(actor)).stays).toMatch(/only way to sign in/)
  await portal.db.team.updateMany({ data: { requiresSingleSignOn: false } })
  await portal.db.membership.updateMany({ data: { role: 'owner' } })
  expect(await disconnectProvider(actor, createRowId())).toMatchObject({ problem: { sentence: expect.stringContaining('only way') } })
  expect(await portal.db.externalIdentity.count()).toBe(1)
  await portal.db.user.updateMany({ data: { passwordHash: 'x' } })
  expect(await disconnectProvider(actor, createRowId())).toEqual({ ok: true, data: null })
  expect(await findOwnProvider(actor)).toEqual({ connected: null, offered: 'Example ID', drops: false, stays: null })
  await portal.db.user.updateMany({ data: { emailProvenAt: null } })
  expect((await findOwnProvider({ ...actor, role: 'viewer' })).drops).toBe(true)
  const rows = await portal.db.auditRow.findMany({ where: { action: { contains: 'Provider' } }, orderBy: { seq: 'asc' } })
  expect(rows.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual([
    'person.connectProvider asked',
    'person.connectProvider done',
    'person.disconnectProvider asked',
    'person.disconnectProvider failed',
    'person.disconnectProvider asked',
    'person.disconnectProvider done',
  ])
})
