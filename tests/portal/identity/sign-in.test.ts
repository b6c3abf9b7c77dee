import { verify } from '@node-rs/argon2'
import { expect, test, vi } from 'vitest'
import { closeDatabase, db, openDatabase } from '@/lib/portal/base/db'
import { findActorBySid } from '@/lib/portal/identity/actor'
import { signInWithPassword } from '@/lib/portal/identity/sign-in'
import { openFaultyDatabase } from '../../support/faulty-database'
import { openPortalDatabase } from '../../support/portal-database'
import { addPerson, device, password } from './people'

vi.mock('@node-rs/argon2', async (original) => {
  const library = await original<typeof import('@node-rs/argon2')>()
  return { ...library, verify: vi.fn(library.verify) }
})

test('security 17: each sign-in gets a new session id, ends the previous session, and stores only hashes', async () => {
  await using portal = await openPortalDatabase()
  await addPerson()
  const first = await signInWithPassword({ email: 'Ada@Example.org', password }, device)
  const former = first.ok ? first.data.sid : ''
  const second = await signInWithPassword({ email: 'ada@example.org', password }, device, { sid: former, deviceToken: null })
  const sid = second.ok ? second.data.sid : ''
  expect(sid).toMatch(/^[\w-]{43}$/)
  expect(sid).not.toBe(former)
  expect(await findActorBySid(former)).toBeNull()
  expect(await findActorBySid(sid)).toMatchObject({ user: { email: 'ada@example.org' }, team: { name: 'Reiher' }, role: 'owner' })
  expect(JSON.stringify(await portal.db.session.findMany())).not.toContain(sid)
})

test('a session planted in the browser does not become the signed-in one', async () => {
  await using _portal = await openPortalDatabase()
  await addPerson()
  const planted = 'A'.repeat(43)
  const signedIn = await signInWithPassword({ email: 'ada@example.org', password }, device, { sid: planted, deviceToken: null })
  expect(signedIn.ok && signedIn.data.sid).not.toBe(planted)
  expect(await findActorBySid(planted)).toBeNull()
})

test('a disabled user, or one without a team, gets the answer of a wrong password', async () => {
  await using portal = await openPortalDatabase()
  const { userId } = await addPerson()
  const wrong = await signInWithPassword({ email: 'ada@example.org', password: 'something else' }, device)
  await portal.db.user.update({ where: { id: userId }, data: { disabledAt: new Date() } })
  expect(await signInWithPassword({ email: 'ada@example.org', password }, device)).toEqual(wrong)
  await portal.db.user.update({ where: { id: userId }, data: { disabledAt: null, memberships: { deleteMany: {} } } })
  expect(await signInWithPassword({ email: 'ada@example.org', password }, device)).toEqual(wrong)
  expect(await portal.db.session.count()).toBe(0)
})

test('even the right password is refused while the account is throttled', async () => {
  await using _portal = await openPortalDatabase()
  await addPerson()
  for (let n = 0; n < 5; n += 1) await signInWithPassword({ email: 'ada@example.org', password: 'wrong' }, device)
  expect(await signInWithPassword({ email: 'ada@example.org', password }, device)).toMatchObject({
    ok: false,
    problem: { code: 'too_many' },
  })
})

test('each attempt is logged, without the typed address or password', async () => {
  await using portal = await openPortalDatabase()
  const { userId } = await addPerson()
  await signInWithPassword({ email: 'hunter2-in-the-wrong-field', password: 'hunter2' }, device)
  await signInWithPassword({ email: 'ada@example.org', password }, device)
  const rows = await portal.db.auditRow.findMany({ orderBy: { seq: 'asc' } })
  expect(rows.map(({ action, outcome, actorKind, objectId }) => ({ action, outcome, actorKind, objectId }))).toEqual([
    { action: 'session.signIn', outcome: 'failed', actorKind: 'nobody', objectId: '' },
    { action: 'session.signIn', outcome: 'done', actorKind: 'user', objectId: userId },
  ])
  expect(JSON.stringify(rows)).not.toContain('hunter2')
})

test('security 13: an unknown address and a wrong password get the same answer after the same hash, and hardly fewer statements', async () => {
  await using portal = await openPortalDatabase()
  await addPerson()
  await closeDatabase()
  const disk = openFaultyDatabase(portal.settings.portalDatabase)
  openDatabase(disk.database)
  const attempt = async (email: string) => {
    await db().signInThrottle.deleteMany()
    vi.mocked(verify).mockClear()
    disk.heal()
    const answer = await signInWithPassword({ email, password: 'not the password' }, device)
    // What a hash costs is in its text: argon2id$v=19$m=65536,t=3,p=1$…
    return { answer, statements: disk.count(), hashes: vi.mocked(verify).mock.calls.map(([stored]) => `${stored}`.split('$').slice(0, 4)) }
  }
  const known = await attempt('ada@example.org')
  expect(known.hashes).toEqual([['', 'argon2id', 'v=19', 'm=65536,t=3,p=1']])
  for (const email of ['bea@example.org', 'no address']) {
    const unknown = await attempt(email)
    expect({ ...unknown, statements: 0 }).toEqual({ ...known, statements: 0 })
    // Those that read the memberships of the known one, and write the attempt to the log of its team.
    expect(known.statements - unknown.statements).toBeLessThanOrEqual(10)
  }
})

test.each(['ada＠example.org', 'ada@example.org\0zz', 'ada@example.org\0', 'ada@example.org\ud800'])(
  'security 12: %j is nobody’s address, whatever the database makes of its odd characters',
  async (email) => {
    await using portal = await openPortalDatabase()
    await addPerson()
    expect((await signInWithPassword({ email, password }, device)).ok).toBe(false)
    expect(await portal.db.session.count()).toBe(0)
    expect((await signInWithPassword({ email: 'ada@example.org', password }, device)).ok).toBe(true)
  },
)
