/** A time of day says its offset where clocks show it twice, and nowhere else. */
import { expect, test } from 'vitest'
import { timeFormat } from '@/app/_ui/time-in-zone'

const timesIn = (zone: string, from: string, minutes: readonly number[]) =>
  minutes.map((minute) => timeFormat(zone, { hour: '2-digit', minute: '2-digit' })(Date.parse(from) + minute * 60_000))

test.each([
  [
    'Europe/Berlin',
    '2026-10-25T00:00Z',
    ['01:59', '02:00 (UTC+2)', '02:59 (UTC+2)', '02:00 (UTC+1)', '02:59 (UTC+1)', '03:00'],
    [-1, 0, 59, 60, 119, 120],
  ],
  ['Europe/London', '2026-10-25T00:00Z', ['00:59', '01:00 (UTC+1)', '01:00 (UTC)', '02:00'], [-1, 0, 60, 120]],
  ['America/St_Johns', '2026-11-01T03:30Z', ['01:00 (UTC-2:30)', '01:00 (UTC-3:30)', '02:00'], [0, 60, 120]],
  ['Australia/Lord_Howe', '2026-04-04T14:30Z', ['01:30 (UTC+11)', '01:30 (UTC+10:30)', '02:00'], [0, 30, 60]],
  ['Europe/Berlin', '2026-03-29T00:30Z', ['01:30', '03:00', '03:30'], [0, 30, 60]],
  ['UTC', '2026-10-25T00:00Z', ['00:00', '01:00'], [0, 60]],
] as const)('in %s after %s the times are %j', (zone, from, times, minutes) => {
  expect(timesIn(zone, from, minutes)).toEqual(times)
})
