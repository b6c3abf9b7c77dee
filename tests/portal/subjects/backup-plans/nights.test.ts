/** The nights of a schedule of copies. */
import { expect, test } from 'vitest'
import { isPlanned, newestNight, nextNight } from '@/lib/portal/subjects/backup-plans/nights'

const berlin = { hour: 2, timeZone: 'Europe/Berlin' }

test('a night begins at its hour in the time zone', () => {
  expect(newestNight(berlin, new Date('2026-11-28T00:59:30Z')).night).toBe('2026-11-27')
  expect(newestNight(berlin, new Date('2026-11-28T01:00:30Z'))).toEqual({ night: '2026-11-28', dueAt: new Date('2026-11-28T01:00:00Z') })
  expect(nextNight(berlin, new Date('2026-11-28T00:59:30Z'))).toEqual(new Date('2026-11-28T01:00:00Z'))
  expect(nextNight(berlin, new Date('2026-11-28T01:00:30Z'))).toEqual(new Date('2026-11-29T01:00:00Z'))
})

test('a change of clocks neither repeats nor skips a night', () => {
  const nights = (from: string) =>
    new Set(Array.from({ length: 27 * 4 }, (_, step) => newestNight(berlin, new Date(Date.parse(from) + step * 900_000)).night))
  expect([...nights('2026-10-24T20:00:00Z')]).toEqual(['2026-10-24', '2026-10-25'])
  expect([...nights('2027-03-27T20:00:00Z')]).toEqual(['2027-03-27', '2027-03-28'])
  expect(nextNight({ ...berlin, hour: 5 }, new Date('2026-10-24T20:00:00Z'))).toEqual(new Date('2026-10-25T04:00:00Z'))
})

test('a mark from the far future is ignored', () => {
  expect(isPlanned('2026-11-28', '2026-11-28')).toBe(true)
  expect(isPlanned('2026-11-29', '2026-11-28')).toBe(true)
  expect(isPlanned('2027-11-28', '2026-11-28')).toBe(false)
  expect(isPlanned('', '2026-11-28')).toBe(false)
})
