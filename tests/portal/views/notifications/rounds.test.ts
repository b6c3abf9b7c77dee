/** Rounds that notice events: never two at once, and an event is stored for all whom it concerns or for nobody. */
import { afterEach, expect, test, vi } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { notify } from '@/lib/portal/notifications/notify'
import { raise, raiseRegularly } from '@/lib/portal/views/home/raise'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'

const held = vi.hoisted(() => ({ started: 0, ended: 0, until: Promise.resolve() }))

vi.mock('@/lib/portal/views/home/raise-upkeep', () => ({
  raiseLateBackups: () => {
    held.started += 1
    return held.until
  },
  raiseWaitingUpdates: async () => {},
  raiseCertificateEndings: async () => {
    held.ended += 1
  },
}))

afterEach(() => {
  vi.useRealTimers()
})

const minute = 60_000

test('a round does not start while the one before still runs', async () => {
  await using _ = await openPortalDatabase()
  let release = () => {}
  held.until = new Promise((resolve) => {
    release = resolve
  })
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  raiseRegularly()
  vi.advanceTimersByTime(minute)
  await vi.waitFor(() => expect(held.started).toBe(1))
  vi.advanceTimersByTime(5 * minute)
  // Another round would get as far within this time.
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(held.started).toBe(1)
  release()
  await vi.waitFor(() => {
    vi.advanceTimersByTime(minute)
    expect(held.started).toBeGreaterThan(1)
  })
  await vi.waitFor(() => expect(held.ended).toBe(held.started))
})

const usersTold = async () => new Set((await db().notification.findMany()).map(({ userId }) => userId))

test('an event is stored for all whom it concerns, or for nobody and again later', async () => {
  await using portal = await openPortalDatabase()
  const team = await createTeam()
  const [one, other] = [await team.join('owner'), await team.join('owner')]
  const userIds = [one.user.id, other.user.id]
  const event = { teamId: team.id, userIds, kind: 'key_frozen', onceKey: 'x' } as const
  await portal.db.$executeRawUnsafe(
    `CREATE TRIGGER crash BEFORE INSERT ON Notification WHEN new.userId = '${other.user.id}' BEGIN SELECT RAISE(ABORT, 'crash'); END`,
  )
  await notify(event)
  expect(await usersTold()).toEqual(new Set())
  await portal.db.$executeRawUnsafe('DROP TRIGGER crash')
  for (const _again of [1, 2]) await notify(event)
  await notify({ ...event, userIds: [] })
  expect(await db().notification.count()).toBe(2)
  expect(await usersTold()).toEqual(new Set(userIds))
})

test('a membership that ends is announced to its member and those who manage the team together', async () => {
  await using portal = await openPortalDatabase()
  const team = await createTeam()
  const [owner, guest] = [await team.join('owner'), await team.join('guest')]
  const endsAt = new Date(Date.now() + 60 * minute)
  await db().membership.updateMany({ where: { userId: guest.user.id }, data: { endsAt } })
  held.until = Promise.resolve()
  await portal.db.$executeRawUnsafe(
    `CREATE TRIGGER crash BEFORE INSERT ON Notification WHEN new.userId = '${owner.user.id}' BEGIN SELECT RAISE(ABORT, 'crash'); END`,
  )
  await raise()
  await portal.db.$executeRawUnsafe('DROP TRIGGER crash')
  await raise()
  expect(await usersTold()).toEqual(new Set([owner.user.id, guest.user.id]))
})
