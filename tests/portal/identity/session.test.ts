import { afterEach, expect, test, vi } from 'vitest'
import { settleAsideWrites } from '@/lib/portal/base/write-aside'
import { findActorBySid, idleEndOf, recheckActor } from '@/lib/portal/identity/actor'
import { endSessionsOf, findSession, touchSession } from '@/lib/portal/identity/session'
import { signOutSession } from '@/lib/portal/identity/sign-out'
import { openPortalDatabase, type PortalDatabase } from '../../support/portal-database'
import { addPerson, openFor, type Person } from './people'

const minuteMs = 60_000

afterEach(() => {
  vi.useRealTimers()
})

const waysOut: [string, (portal: PortalDatabase, person: Person, sid: string) => Promise<unknown>][] = [
  ['is disabled', ({ db }, { userId }) => db.user.update({ where: { id: userId }, data: { disabledAt: new Date() } })],
  ['is removed from the team', ({ db }, { userId }) => db.membership.deleteMany({ where: { userId } })],
  [
    'is at the end of their membership',
    ({ db }, { userId }) => db.membership.updateMany({ where: { userId }, data: { endsAt: new Date() } }),
  ],
  [
    'is given a role this program does not know',
    ({ db }, { userId }) => db.$executeRaw`UPDATE "Membership" SET "role" = 'root' WHERE "userId" = ${userId}`,
  ],
  ['is deleted', ({ db }, { userId }) => db.user.delete({ where: { id: userId } })],
  ['signs out everywhere', (_portal, { userId }) => endSessionsOf(userId)],
  ['signs out', (_portal, _person, sid) => signOutSession(sid)],
  ['loses the team', ({ db }, { teamId }) => db.team.delete({ where: { id: teamId } })],
]

test.each(waysOut)('security 16: a user who %s is refused at the next check, by cookie and in open streams', async (_name, wayOut) => {
  await using portal = await openPortalDatabase()
  const person = await addPerson()
  const { sid, sessionId } = await openFor(person)
  expect(await findActorBySid(sid)).not.toBeNull()
  expect(await recheckActor(sessionId)).not.toBeNull()
  await wayOut(portal, person, sid)
  expect(await findActorBySid(sid)).toBeNull()
  expect(await recheckActor(sessionId)).toBeNull()
})

test('security 16: a lowered role takes effect at the next check', async () => {
  await using portal = await openPortalDatabase()
  const person = await addPerson({ role: 'admin' })
  const { sessionId } = await openFor(person)
  expect((await recheckActor(sessionId))?.role).toBe('admin')
  await portal.db.membership.updateMany({ data: { role: 'viewer' } })
  expect((await recheckActor(sessionId))?.role).toBe('viewer')
})

test('security 18: a session ends after 30 minutes without activity, and rechecking it is not activity', async () => {
  await using portal = await openPortalDatabase()
  const { sid, sessionId } = await openFor(await addPerson())
  const start = Date.now()
  vi.useFakeTimers({ toFake: ['Date'] })
  for (const minutes of [10, 20, 29]) {
    vi.setSystemTime(start + minutes * minuteMs)
    expect(await recheckActor(sessionId)).not.toBeNull()
  }
  vi.setSystemTime(start + 31 * minuteMs)
  expect(await recheckActor(sessionId)).toBeNull()
  expect(await findActorBySid(sid)).toBeNull()
  expect((await portal.db.session.findFirst())?.revokedAt).toBeNull()
})

test('security 18: how long a session may be idle is the team’s choice, which counts at once', async () => {
  await using portal = await openPortalDatabase()
  const { sessionId } = await openFor(await addPerson())
  const start = Date.now()
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(start + 20 * minuteMs)
  expect(await recheckActor(sessionId)).not.toBeNull()
  await portal.db.team.updateMany({ data: { idleMinutes: 15 } })
  expect(await recheckActor(sessionId)).toBeNull()
  await portal.db.team.updateMany({ data: { idleMinutes: 120 } })
  vi.setSystemTime(start + 119 * minuteMs)
  expect(await recheckActor(sessionId)).not.toBeNull()
  vi.setSystemTime(start + 121 * minuteMs)
  expect(await recheckActor(sessionId)).toBeNull()
})

test('whoever comes back to an idle session learns why it ended; a stranger, and whoever was signed out otherwise, learns nothing', async () => {
  await using portal = await openPortalDatabase()
  const person = await addPerson()
  const [idle, gone] = [await openFor(person), await openFor(person)]
  await portal.db.team.updateMany({ data: { idleMinutes: 5 } })
  expect(await idleEndOf(idle.sid)).toBeNull()
  const start = Date.now()
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(start + 6 * minuteMs)
  await signOutSession(gone.sid)
  expect([await idleEndOf(idle.sid), await idleEndOf(gone.sid), await idleEndOf('unknown'), await idleEndOf(null)]).toEqual([
    5,
    null,
    null,
    null,
  ])
  vi.setSystemTime(start + 12 * 60 * minuteMs + 1000)
  expect(await idleEndOf(idle.sid)).toBeNull()
})

test('security 18: activity postpones the end, but not beyond twelve hours', async () => {
  await using _portal = await openPortalDatabase()
  const { sid } = await openFor(await addPerson())
  const start = Date.now()
  vi.useFakeTimers({ toFake: ['Date'] })
  for (let minutes = 20; minutes < 12 * 60; minutes += 20) {
    vi.setSystemTime(start + minutes * minuteMs)
    const session = await findSession({ sid })
    expect(session).not.toBeNull()
    if (session) touchSession(session)
    await settleAsideWrites()
  }
  vi.setSystemTime(start + 12 * 60 * minuteMs + 1000)
  expect(await findActorBySid(sid)).toBeNull()
})

test('signing out is logged once, however often it is requested', async () => {
  await using portal = await openPortalDatabase()
  const { sid } = await openFor(await addPerson())
  await Promise.all([signOutSession(sid), signOutSession(sid), signOutSession(sid)])
  expect(await portal.db.auditRow.count({ where: { action: 'session.signOut' } })).toBe(1)
})
