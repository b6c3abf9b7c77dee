import { expect, test, vi } from 'vitest'
import { closeDatabase } from '@/lib/portal/base/db'
import { countMail, countTry, forgiveTry } from '@/lib/portal/identity/throttle'
import { openPortalDatabase } from '../../support/portal-database'
import { forgetProcess } from '../../support/reset-process'

const minuteMs = 60_000

/** A clock that stands until it is moved. */
function holdClock(): Disposable & { move(ms: number): void } {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T12:00:00Z') })
  return { move: (ms) => vi.setSystemTime(Date.now() + ms), [Symbol.dispose]: () => vi.useRealTimers() }
}

const from = (peer: string) => ({ peer, knownToken: null })
const waitAfter = async (email: string, peer: string): Promise<number> => (await countTry(email, from(peer)))?.retryAfterSeconds ?? 0

test('security 12: an account has five free attempts, then the wait grows to half an hour, from any peer', async () => {
  await using _portal = await openPortalDatabase()
  using clock = holdClock()
  for (let n = 0; n < 5; n += 1) expect(await waitAfter('ada@example.org', `192.0.2.${n}`)).toBe(0)
  for (const [n, seconds] of [30, 60, 120, 240, 480, 960, 1800, 1800].entries()) {
    expect(await waitAfter('ada@example.org', `198.51.100.${n}`)).toBe(seconds)
    clock.move(seconds * 1000)
    expect(await waitAfter('ada@example.org', `203.0.113.${n}`)).toBe(0)
  }
})

test('security 12: case, spaces and Unicode variants of an address count as one account', async () => {
  await using _portal = await openPortalDatabase()
  for (const email of ['ada@example.org', 'ADA@example.org', ' ada@example.org', 'ａda@example.org', 'ada＠example.org']) {
    expect(await waitAfter(email, 'unknown')).toBe(0)
  }
  expect(await waitAfter('Ada@Example.org', 'unknown')).toBeGreaterThan(0)
})

/** A thousand attempts, fifty at once, while the clock stands. Returns how many were allowed. */
async function attemptOften(attempt: (n: number) => ReturnType<typeof countTry>): Promise<number> {
  using _ = holdClock()
  let allowed = 0
  for (let first = 0; first < 1000; first += 50) {
    const refusals = await Promise.all(Array.from({ length: 50 }, (_, index) => attempt(first + index)))
    allowed += refusals.filter((refusal) => refusal === null).length
  }
  return allowed
}

test('security 12: of a thousand attempts on one account, fifty at once and each from another peer, five are allowed', {
  timeout: 120_000,
}, async () => {
  await using _portal = await openPortalDatabase()
  expect(await attemptOften((n) => countTry('ada@example.org', from(`10.0.${n >> 8}.${n & 255}`)))).toBe(5)
})

test('security 12: of one attempt on each of a thousand accounts, fifty at once and from one peer, twenty are allowed', {
  timeout: 120_000,
}, async () => {
  await using _portal = await openPortalDatabase()
  expect(await attemptOften((n) => countTry(`user${n}@example.org`, from('192.0.2.1')))).toBe(20)
})

test('security 12: one peer has twenty attempts a minute, across any number of accounts', async () => {
  await using _portal = await openPortalDatabase()
  using clock = holdClock()
  const attempts = async (count: number) => {
    const waits = []
    for (let n = 0; n < count; n += 1) waits.push(await waitAfter(`user${n}.${Date.now()}@example.org`, '192.0.2.1'))
    return waits.filter((wait) => wait === 0).length
  }
  expect(await attempts(40)).toBe(20)
  expect(await waitAfter('another@example.org', '192.0.2.2')).toBe(0)
  clock.move(minuteMs)
  expect(await attempts(40)).toBe(20)
})

test('security 12: a blocked peer uses up nobody’s mails, and each kind of mail has its own counters', async () => {
  await using _portal = await openPortalDatabase()
  using _clock = holdClock()
  for (let n = 0; n < 20; n += 1) expect(await countMail('reset', `user${n}@example.org`, '192.0.2.1')).toBe(true)
  for (let n = 0; n < 9; n += 1) expect(await countMail('reset', 'ada@example.org', '192.0.2.1')).toBe(false)
  const asked = []
  for (let n = 0; n < 4; n += 1) asked.push(await countMail('reset', 'ada@example.org', '192.0.2.2'))
  expect(asked).toEqual([true, true, true, false])
  expect(await countMail('newAddress', 'ada@example.org', '192.0.2.1')).toBe(true)
})

test('security 12: the counters survive a restart', async () => {
  await using _portal = await openPortalDatabase()
  using _clock = holdClock()
  for (let n = 0; n < 5; n += 1) expect(await waitAfter('ada@example.org', '192.0.2.1')).toBe(0)
  for (let n = 0; n < 15; n += 1) expect(await waitAfter(`user${n}@example.org`, '192.0.2.1')).toBe(0)
  await closeDatabase()
  forgetProcess()
  expect(await waitAfter('ada@example.org', '192.0.2.2')).toBeGreaterThan(0)
  expect(await waitAfter('another@example.org', '192.0.2.1')).toBeGreaterThan(0)
})

test('security 12: the counters do not contain the typed address', async () => {
  await using portal = await openPortalDatabase()
  await countTry('ada@example.org', from('unknown'))
  const rows = await portal.db.signInThrottle.findMany()
  expect(rows).toHaveLength(2)
  expect(JSON.stringify(rows)).not.toContain('ada')
})

test('a success resets the account and returns the peer its attempt', async () => {
  await using portal = await openPortalDatabase()
  await countTry('eve@example.org', from('192.0.2.1'))
  for (let n = 0; n < 4; n += 1) await countTry('ada@example.org', from('192.0.2.1'))
  await forgiveTry('ada@example.org', from('192.0.2.1'))
  const rows = await portal.db.signInThrottle.findMany({ orderBy: { failures: 'asc' } })
  expect(rows.map(({ failures }) => failures)).toEqual([1, 4])
})

test('failures expire after a day without new ones', async () => {
  await using _portal = await openPortalDatabase()
  using clock = holdClock()
  for (let n = 0; n < 4; n += 1) await countTry('ada@example.org', from('unknown'))
  clock.move(24 * 60 * minuteMs)
  for (let n = 0; n < 5; n += 1) expect(await waitAfter('ada@example.org', `192.0.2.${n}`)).toBe(0)
  expect(await waitAfter('ada@example.org', 'unknown')).toBe(30)
})

test('security 12: with the clock set back nobody waits longer than announced, and counting continues', async () => {
  await using _portal = await openPortalDatabase()
  using clock = holdClock()
  const dayMs = 24 * 60 * minuteMs
  for (let n = 0; n < 5; n += 1) await waitAfter('ada@example.org', `192.0.2.${n}`)
  for (let n = 0; n < 20; n += 1) await waitAfter(`user${n}@example.org`, '198.51.100.1')
  clock.move(-dayMs)
  expect(await waitAfter('ada@example.org', '203.0.113.1')).toBe(30)
  expect(await waitAfter('another@example.org', '198.51.100.1')).toBe(60)
  clock.move(29_000)
  expect(await waitAfter('ada@example.org', '203.0.113.1')).toBe(1)
  clock.move(1000)
  expect(await waitAfter('ada@example.org', '203.0.113.1')).toBe(0)
  expect(await waitAfter('ada@example.org', '203.0.113.1')).toBe(60)
  clock.move(30_000)
  // The window of the peer is over: it has all its tries again.
  for (let n = 0; n < 20; n += 1) expect(await waitAfter(`later${n}@example.org`, '198.51.100.1')).toBe(0)
  expect(await waitAfter('last@example.org', '198.51.100.1')).toBe(60)
})
