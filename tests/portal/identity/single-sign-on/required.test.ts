import { beforeEach, expect, test, vi } from 'vitest'
import { findActorBySid } from '@/lib/portal/identity/actor'
import { openSession } from '@/lib/portal/identity/session'
import { signInBrowser } from '@/lib/portal/identity/sign-in-browser'
import { findSingleSignOnRule, requireSingleSignOn } from '@/lib/portal/subjects/team/require-single-sign-on'
import { inputOf } from '@/tests/support/own-input'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { startUpstream } from '@/tests/support/upstream/upstream'
import { addPerson, device, openFor, password } from '../people'
import { configureProvider, Jar, signInAtProvider, whoIs } from './round-trip'

const browser = vi.hoisted((): { jar: Jar | null } => ({ jar: null }))
vi.mock('next/headers', () => ({ headers: async () => new Headers(), cookies: async () => browser.jar }))

let jar = new Jar()
beforeEach(() => {
  jar = new Jar()
  browser.jar = jar
})

const words = 'Your team requires single sign-on. Use the single sign-on button to sign in.'

async function actorOf(person: Awaited<ReturnType<typeof addPerson>>) {
  const actor = await findActorBySid((await openFor(person)).sid)
  if (!actor) throw new Error('nobody is signed in')
  return actor
}

test('security 16: once required, password and passkey sessions of members end and new ones are refused; owners keep password and second factor', async () => {
  await using portal = await openPortalDatabase()
  await using provider = await configureProvider()
  const [owner, member] = [await addPerson(), await addPerson({ email: 'bo@example.org', role: 'admin' })]
  await portal.db.membership.updateMany({ where: { userId: member.userId }, data: { teamId: owner.teamId } })
  const at = { ...member, teamId: owner.teamId }
  const actor = await actorOf(owner)
  const refused = await requireSingleSignOn(inputOf(actor, { required: 'yes' }))
  expect(refused).toMatchObject({ problem: { sentence: expect.stringContaining('Connect your own account with Example ID first') } })
  await portal.db.externalIdentity.create({ data: { issuer: provider.issuer, subject: 'o', userId: owner.userId } })
  const bare = await requireSingleSignOn(inputOf(actor, { required: 'yes' }))
  expect(bare).toMatchObject({ problem: { sentence: expect.stringContaining('Set up a second factor') } })
  const key = { label: 'x', publicKey: new Uint8Array(1), counter: 0, transports: '', backedUp: false }
  await portal.db.passkey.create({ data: { ...key, id: 'p', userId: owner.userId } })
  const open = await openFor(at)
  expect(await findActorBySid(open.sid)).not.toBeNull()
  const admin = await actorOf(at)
  expect(await requireSingleSignOn(inputOf(admin, { required: 'yes' }))).toMatchObject({ problem: { code: 'forbidden' } })
  expect(await requireSingleSignOn(inputOf(actor, { required: 'yes' }))).toEqual({ ok: true, data: { on: true } })
  expect(await findSingleSignOnRule(actor)).toMatchObject({ on: true, refusal: null, unprotected: [] })
  await portal.db.passkey.deleteMany()
  const names = async (reader: typeof actor) => (await findSingleSignOnRule(reader))?.unprotected
  expect([await names(actor), await names({ ...actor, role: 'viewer' })]).toEqual([['Ada'], []])
  await portal.db.passkey.create({ data: { ...key, id: 'p', userId: owner.userId } })
  expect(await findActorBySid(open.sid)).toBeNull()
  expect(await findActorBySid(await openSession({ userId: at.userId, teamId: at.teamId }, device, 'passkey'))).toBeNull()
  expect(await signInBrowser({ email: at.email, password })).toMatchObject({ ok: false, problem: { sentence: words } })
  const wrong = await signInBrowser({ email: at.email, password: 'wrong' })
  expect(wrong).toMatchObject({ ok: false, problem: { sentence: 'Wrong email address or password.' } })
  expect(jar.getAll()).toEqual([])
  expect(await signInBrowser({ email: owner.email, password })).toEqual({ ok: true, data: { awaits: 'secondFactor' } })
  expect(await requireSingleSignOn(inputOf(actor, { required: 'no' }))).toEqual({ ok: true, data: { on: false } })
  // Ended, not only barred while the rule was on.
  expect(await findActorBySid(open.sid)).toBeNull()
  const tried = await portal.db.auditRow.findMany({ where: { action: 'session.signIn', objectId: at.userId }, orderBy: { seq: 'asc' } })
  expect(tried.map(({ detail }) => /"reason":"([^"]*)"/.exec(detail)?.[1] ?? null)).toEqual(['single sign-on is required', null])
})

test('security 17: once required, a member joins with the provider and one password sign-in, and then uses the provider alone', async () => {
  await using portal = await openPortalDatabase()
  await using provider = await configureProvider()
  const { email } = await addPerson({ role: 'viewer' })
  await portal.db.team.updateMany({ data: { requiresSingleSignOn: true } })
  provider.person = { sub: 'a', email, email_verified: true }
  expect(await signInAtProvider()).toBe('/sign-in?sso=confirm')
  expect((await signInBrowser({ email, password })).ok).toBe(true)
  expect(await whoIs(jar)).toMatchObject({ role: 'viewer' })
  jar.clear()
  expect(await signInAtProvider()).toBe('/')
  expect(await whoIs(jar)).toMatchObject({ role: 'viewer' })
})

test('security 17: single sign-on alone opens nothing while a second factor is awaited, or has to be set up', async () => {
  await using portal = await openPortalDatabase()
  await using provider = await configureProvider()
  const { userId, email } = await addPerson({ role: 'viewer' })
  await portal.db.externalIdentity.create({ data: { issuer: provider.issuer, subject: 'a', userId } })
  await portal.db.team.updateMany({ data: { requiresSecondFactor: true } })
  provider.person = { sub: 'a', email, email_verified: true }
  // Whoever sits at a browser that the provider lets through silently must not set up a second factor of their own.
  expect(await signInAtProvider('/servers')).toBe('/sign-in?sso=unproven')
  expect(await portal.db.session.count()).toBe(0)
  expect(await signInAtProvider('/servers', { reauthenticate: true })).toBe('/servers')
  expect(await whoIs(jar)).toBeNull()
  expect(await portal.db.session.findMany()).toMatchObject([{ via: 'singleSignOn', awaits: 'secondFactorSetup' }])
  const passkey = { id: 'k', userId, label: '', publicKey: new Uint8Array(), counter: 0, transports: '', backedUp: false }
  await portal.db.passkey.create({ data: passkey })
  await signInAtProvider()
  expect(await whoIs(jar)).toBeNull()
  expect(await portal.db.session.count({ where: { awaits: 'secondFactor' } })).toBe(1)
})

test('security 23: a claim changes a member’s role, never an owner’s and never to owner; unknown values change nothing', async () => {
  await using portal = await openPortalDatabase()
  await using provider = await configureProvider({ roleClaim: 'groups' })
  const { userId, email } = await addPerson({ role: 'viewer' })
  await portal.db.externalIdentity.create({ data: { issuer: provider.issuer, subject: 'a', userId } })
  const signIn = async (groups: unknown) => {
    jar.clear()
    provider.person = { sub: 'a', email, email_verified: true, groups }
    await signInAtProvider()
    return (await whoIs(jar))?.role
  }
  expect(await signIn('operator')).toBe('operator')
  expect(await signIn(['staff', 'viewer', 'admin'])).toBe('admin')
  expect(await signIn('owner')).toBe('admin')
  expect(await signIn(['Operator'])).toBe('admin')
  expect(await signIn({ role: 'viewer' })).toBe('admin')
  await portal.db.membership.updateMany({ data: { role: 'owner' } })
  expect(await signIn('viewer')).toBe('owner')
  const rows = await portal.db.auditRow.findMany({ where: { action: 'member.roleByClaim' }, orderBy: { seq: 'asc' } })
  expect(rows.map(({ actorKind, outcome }) => [actorKind, outcome])).toEqual([
    ['gatehouse', 'asked'],
    ['gatehouse', 'done'],
    ['gatehouse', 'asked'],
    ['gatehouse', 'done'],
  ])
})

test('security 16: a claim that makes a member a viewer freezes their own connections', async () => {
  await using portal = await openPortalDatabase()
  await using provider = await configureProvider({ roleClaim: 'groups' })
  await using upstream = await startUpstream()
  const team = await createTeam()
  const [owner, { user }] = [await team.join('owner'), await team.join('operator')]
  await team.connect(upstream, { ownerId: user.id })
  await portal.db.externalIdentity.create({ data: { issuer: provider.issuer, subject: 'a', userId: user.id } })
  for (const [role, frozen] of [
    ['admin', 0],
    ['viewer', 1],
  ] as const) {
    provider.person = { sub: 'a', email: user.email, email_verified: true, groups: [role] }
    await signInAtProvider()
    expect(await portal.db.membership.findFirst({ where: { userId: user.id } })).toMatchObject({ role })
    expect(await portal.db.connection.count({ where: { frozenAt: { not: null } } })).toBe(frozen)
    expect(await portal.db.notification.findMany({ where: { kind: 'key_frozen', userId: owner.user.id } })).toHaveLength(frozen)
  }
})
