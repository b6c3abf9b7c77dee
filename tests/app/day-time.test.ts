import { expect, test } from 'vitest'
import { dayTimeFormat } from '@/app/_ui/day-time'

const now = Date.parse('2026-11-25T12:00:00Z')

test('a time is titled Today, Yesterday, by its day, or by its day and year', () => {
  const format = dayTimeFormat({ timeZone: 'UTC', now })
  const titles = ['2026-11-25T02:14:00Z', '2026-11-24T23:50:00Z', '2026-11-21T02:14:00Z', '2025-12-31T02:14:00Z'].map((at) =>
    format(Date.parse(at)),
  )
  expect(titles).toEqual(['Today 02:14', 'Yesterday 23:50', '21 Nov 02:14', '31 Dec 2025 02:14'])
})

test('the day is that of the reader’s time zone, also when clocks change', () => {
  expect(dayTimeFormat({ timeZone: 'Asia/Tokyo', now })(Date.parse('2026-11-24T23:50:00Z'))).toBe('Today 08:50')
  // In Berlin this day has 25 hours.
  const late = dayTimeFormat({ timeZone: 'Europe/Berlin', now: Date.parse('2026-10-25T22:30:00Z') })
  expect([late(Date.parse('2026-10-24T22:30:00Z')), late(Date.parse('2026-10-24T21:30:00Z'))]).toEqual(['Today 00:30', 'Yesterday 23:30'])
})

test('without a known zone no day is called today, and the year is shown', () => {
  expect(dayTimeFormat({ timeZone: 'UTC', now: null })(now)).toBe('25 Nov 2026 12:00')
})
