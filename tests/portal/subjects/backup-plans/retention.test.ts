/** Which copies of a site a schedule keeps. */
import { expect, test } from 'vitest'
import { findSurplus, type Retention, usualRetention } from '@/lib/portal/subjects/backup-plans/retention'

const now = new Date('2026-11-28T12:00:00Z')

const only = (keep: Partial<Retention>): Retention => ({ keepDaily: 0, keepWeekly: 0, keepMonthly: 0, ...keep })

/** The times of the copies that are kept, the newest first. */
function keptOf(times: readonly string[], keep: Retention, timeZone = 'UTC', at = now): string[] {
  const copies = times.map((time) => ({ time, startedAt: new Date(time) }))
  const surplus = new Set(findSurplus(copies, keep, { timeZone, now: at }))
  return copies
    .filter((copy) => !surplus.has(copy))
    .map(({ time }) => time)
    .sort()
    .reverse()
}

const nightly = (count: number, from = now): string[] =>
  Array.from({ length: count }, (_, back) => new Date(from.getTime() - back * 86_400_000 - 10 * 3_600_000).toISOString())

test('of 400 nights 7 days, 4 weeks and 6 months are kept', () => {
  const kept = keptOf(nightly(400), usualRetention).map((time) => time.slice(0, 10))
  expect(kept).toEqual([
    ...['2026-11-28', '2026-11-27', '2026-11-26', '2026-11-25', '2026-11-24', '2026-11-23', '2026-11-22'],
    ...['2026-11-15', '2026-11-08', '2026-10-31', '2026-09-30', '2026-08-31', '2026-07-31', '2026-06-30'],
  ])
})

test('pruned every night, there are never fewer copies than those of one pruning', () => {
  let there: string[] = []
  const end = Date.parse('2026-11-28T02:00:00Z')
  for (let back = 399; back >= 0; back -= 1) {
    const at = new Date(end - back * 86_400_000)
    there = keptOf([...there, at.toISOString()], usualRetention, 'UTC', at)
  }
  expect(there).toEqual(keptOf(nightly(400), usualRetention))
})

test('of two copies in a day the newer one is kept', () => {
  const times = ['2026-11-27T02:00:00Z', '2026-11-27T14:00:00Z', '2026-11-26T02:00:00Z']
  expect(keptOf(times, only({ keepDaily: 2 }))).toEqual(['2026-11-27T14:00:00Z', '2026-11-26T02:00:00Z'])
})

test('days, weeks and months without a copy do not count: of a schedule that was stopped, nothing is deleted', () => {
  const times = ['2026-03-09T02:00:00Z', '2026-03-05T02:00:00Z', '2026-01-02T02:00:00Z', '2025-06-01T02:00:00Z']
  expect(keptOf(times, only({ keepDaily: 4 }))).toEqual(times)
  expect(keptOf(times, only({ keepWeekly: 4 }))).toEqual(times)
  expect(keptOf(times, only({ keepMonthly: 2 }))).toEqual(['2026-03-09T02:00:00Z', '2026-01-02T02:00:00Z'])
  const kept = keptOf(nightly(400), usualRetention)
  expect(keptOf(kept, usualRetention, 'UTC', new Date('2031-01-01T00:00:00Z'))).toEqual(kept)
})

test('the copy that was proven last is kept until another one is, and not once it is bad', () => {
  const [proven, before, bad] = [3, 5, 8].map((back) => nightly(9)[back] ?? '')
  const copies = nightly(9).map((time) => ({
    time,
    startedAt: new Date(time),
    provenAt: time === bad ? now : time === proven || time === before ? new Date(time) : null,
    badAt: time === bad ? now : null,
  }))
  const surplus = new Set(findSurplus(copies, only({ keepDaily: 1 }), { timeZone: 'UTC', now }))
  expect(copies.filter((copy) => !surplus.has(copy)).map(({ time }) => time)).toEqual([nightly(1)[0], proven])
})

test('a copy that is known to be bad takes the place of no other, and goes when its time has come', () => {
  const times = ['2026-11-20T02:00:00Z', '2026-10-31T02:00:00Z', '2026-10-30T02:00:00Z', '2026-10-29T02:00:00Z', '2026-09-30T02:00:00Z']
  const copies = times.map((time) => ({ time, startedAt: new Date(time), badAt: time.startsWith('2026-10-31') ? now : null }))
  const keptBy = (keep: Partial<Retention>) => {
    const surplus = new Set(findSurplus(copies, only(keep), { timeZone: 'UTC', now }))
    return copies.filter((copy) => !surplus.has(copy)).map(({ time }) => time.slice(5, 10))
  }
  expect(keptBy({ keepMonthly: 2 })).toEqual(['11-20', '10-31', '10-30'])
  expect(keptBy({ keepDaily: 1 })).toEqual(['11-20'])
})

test('the time zone decides which day it is', () => {
  const times = ['2026-11-26T22:30:00Z', '2026-11-26T23:30:00Z']
  expect(keptOf(times, only({ keepDaily: 7 }), 'UTC')).toEqual(['2026-11-26T23:30:00Z'])
  expect(keptOf(times, only({ keepDaily: 7 }), 'Europe/Berlin')).toHaveLength(2)
  expect(keptOf(['2026-10-31T12:30:00Z', '2026-10-30T12:30:00Z'], only({ keepMonthly: 6 }), 'Pacific/Kiritimati')).toHaveLength(2)
})

test('on the days on which clocks change, each copy has its day', () => {
  // 25 hours on 25 October, 23 on 28 March.
  const autumn = ['2026-10-24T21:30:00Z', '2026-10-24T22:30:00Z', '2026-10-25T22:30:00Z', '2026-10-25T23:30:00Z']
  expect(keptOf(autumn, only({ keepDaily: 7 }), 'Europe/Berlin')).toEqual([
    '2026-10-25T23:30:00Z',
    '2026-10-25T22:30:00Z',
    '2026-10-24T21:30:00Z',
  ])
  const spring = ['2026-03-28T22:30:00Z', '2026-03-28T23:30:00Z', '2026-03-29T21:30:00Z', '2026-03-29T22:30:00Z']
  expect(keptOf(spring, only({ keepDaily: 7 }), 'Europe/Berlin')).toEqual([
    '2026-03-29T22:30:00Z',
    '2026-03-29T21:30:00Z',
    '2026-03-28T22:30:00Z',
  ])
})

test('a week begins on Monday, also over the end of a year', () => {
  const times = ['2026-01-04T02:00:00Z', '2025-12-29T02:00:00Z', '2025-12-28T02:00:00Z']
  expect(keptOf(times, only({ keepWeekly: 9 }))).toEqual(['2026-01-04T02:00:00Z', '2025-12-28T02:00:00Z'])
})

test('a copy of the future is neither deleted nor counted, so it pushes out none', () => {
  const times = ['2027-05-01T02:00:00Z', '2026-11-28T02:00:00Z', '2026-11-27T02:00:00Z', '2026-11-26T02:00:00Z']
  expect(keptOf(times, only({ keepDaily: 2 }))).toEqual(['2027-05-01T02:00:00Z', '2026-11-28T02:00:00Z', '2026-11-27T02:00:00Z'])
  // The clock of Gatehouse is set back by years: nothing is deleted.
  expect(keptOf(nightly(40), usualRetention, 'UTC', new Date('2020-01-01T00:00:00Z'))).toHaveLength(40)
})

test('the newest copy is always kept', () => {
  expect(keptOf(nightly(3), only({}))).toHaveLength(1)
  expect(keptOf([], usualRetention)).toEqual([])
})
