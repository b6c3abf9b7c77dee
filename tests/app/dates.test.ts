/** Days in words, the same for every reader of a page and in every version of the browser's own tables. */
import { expect, test } from 'vitest'
import { dayFormat, weekdayFormat } from '@/app/_ui/dates'
import { formatExact, formatMoment } from '@/app/_ui/time-in-zone'

const at = '2026-11-27T23:30:05.000Z'

test('a day is that of the time zone', () => {
  expect(dayFormat('UTC')(Date.parse(at))).toBe('27 Nov 2026')
  expect(dayFormat('Europe/Berlin')(Date.parse(at))).toBe('28 Nov 2026')
  expect(weekdayFormat('Europe/Berlin')(Date.parse(at))).toBe('Sat 28 Nov 2026')
})

test('a moment is shown with its time, on hover with seconds and zone', () => {
  expect(formatMoment(at, 'Europe/Berlin')).toBe('Sat 28 Nov 2026, 00:30')
  expect(formatExact(at, 'America/St_Johns')).toBe('Fri 27 Nov 2026, 20:00:05, America/St Johns')
})

test('the offset is shown for an hour that occurs twice', () => {
  expect(formatMoment('2026-10-25T00:30:00.000Z', 'Europe/Berlin')).toBe('Sun 25 Oct 2026, 02:30 (UTC+2)')
})
