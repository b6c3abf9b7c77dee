import { expect, test } from 'vitest'
import { countOf, formatCount } from '@/app/_ui/count'
import { formatAge } from '@/app/_ui/relative-time'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

test.each([
  [-20_000, 'just now'],
  [20_000, 'just now'],
  [-minute, '1 minute ago'],
  [-59.9 * minute, '59 minutes ago'],
  [-hour, '1 hour ago'],
  [2 * hour, 'in 2 hours'],
  [-day, 'yesterday'],
  [-47 * hour, 'yesterday'],
  [day, 'tomorrow'],
  [-3 * day, '3 days ago'],
  [-31 * day, '1 month ago'],
  [-90 * day, '3 months ago'],
  [-800 * day, '2 years ago'],
  [90 * day, 'in 3 months'],
  [90 * day - 5_000, 'in 3 months'],
  [7 * day - 5_000, 'in 7 days'],
  [day - 5_000, 'tomorrow'],
  [hour - 5_000, 'in 1 hour'],
  [45 * minute, 'in 45 minutes'],
  [29 * day, 'in 29 days'],
])('%d ms from now is said as %s', (ms, words) => {
  expect(formatAge(ms)).toBe(words)
})

test('counts are grouped as English groups them, and one is one', () => {
  for (const count of [0, 7, 999, 1000, 12_345, 1_234_567]) expect(formatCount(count)).toBe(count.toLocaleString('en-GB'))
  expect([0, 1, 2, 10_000].map((count) => countOf(count, 'server'))).toEqual(['0 servers', '1 server', '2 servers', '10,000 servers'])
})
