import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fullInDays } from '@/lib/portal/views/history/disk-outlook'
import { evidenceOf, type Point, slopeOf, timeUntilFull } from '@/lib/portal/views/history/trend'
import { openChance, seededRuns } from '@/tests/support/seeds'

const rising = (count: number, value: (at: number) => number): Point[] =>
  Array.from({ length: count }, (_, at) => ({ at, value: value(at) }))

test('the slope follows most points: a quarter of outliers changes little', () => {
  const chance = openChance()
  const points = rising(40, (at) => 100 + at).map((point) => (point.at % 5 === 2 ? { ...point, value: chance.below(100_000) } : point))
  expect([chance.seed, Math.abs((slopeOf(points) ?? 0) - 1) < 0.5]).toEqual([chance.seed, true])
})

test('a disk that fills evenly is full when the rest is used up, whatever its rate and size', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 12, max: 80 }),
      fc.integer({ min: 1, max: 1e9 }),
      fc.integer({ min: 0, max: 1e12 }),
      (count, rate, start) => {
        const points = rising(count, (at) => start + rate * at)
        const total = start + rate * count * 3
        expect(timeUntilFull(points, total, 10)).toBeCloseTo(count * 2 + 1, 3)
      },
    ),
    { numRuns: seededRuns(200) },
  )
})

test('no forecast for a disk that empties, stays level, fluctuates, or filled up for a while and stopped', () => {
  const total = 1e6
  expect(
    timeUntilFull(
      rising(40, (at) => 5000 - at),
      total,
      10,
    ),
  ).toBeNull()
  expect(
    timeUntilFull(
      rising(40, () => 5000),
      total,
      10,
    ),
  ).toBeNull()
  // A backup made each night and the oldest deleted in the morning.
  expect(
    timeUntilFull(
      rising(84, (at) => 5000 + (at % 12) * 50),
      total,
      10,
    ),
  ).toBeNull()
  expect(
    timeUntilFull(
      rising(80, (at) => Math.min(at, 30) * 100),
      total,
      10,
    ),
  ).toBeNull()
})

test('no forecast from too few points, or too short a time', () => {
  expect(
    timeUntilFull(
      rising(11, (at) => at),
      100,
      5,
    ),
  ).toBeNull()
  expect(
    timeUntilFull(
      rising(20, (at) => at),
      100,
      30,
    ),
  ).toBeNull()
  expect(timeUntilFull([], 100, 0)).toBeNull()
})

test('randomly ordered points usually give little evidence', () => {
  const chance = openChance()
  const strong = Array.from({ length: 200 }, () => evidenceOf(rising(30, () => chance.below(1_000_000)))).filter((found) => found > 2.33)
  // One in a hundred is expected.
  expect([chance.seed, strong.length < 12]).toEqual([chance.seed, true])
})

const slot = (index: number, diskUsed: number, diskTotal = 1000) => ({
  from: index * 120,
  checks: 24,
  reachable: 24,
  diskUsed,
  diskTotal,
  memUsed: null,
  memTotal: null,
})

test('a disk that fills by a tenth a day is full in as many days as tenths are left; samples from before it grew do not count', () => {
  const slots = Array.from({ length: 36 }, (_, index) => slot(index, 500 + (index * 100) / 12))
  expect(fullInDays(slots)).toBe(2)
  expect(fullInDays([...Array.from({ length: 40 }, (_, index) => slot(index - 40, 499, 500)), ...slots])).toBe(2)
  expect(fullInDays(slots.slice(0, 10))).toBeNull()
  expect(fullInDays(Array.from({ length: 36 }, (_, index) => slot(index, 500 + index / 12)))).toBeNull()
})
