/** How the halves share little memory. */
import { totalmem } from 'node:os'
import { expect, test } from 'vitest'
import { atOnceInMemory, heapOptions, memoryHere } from '@/lib/memory'

const mebibytes = (count: number) => count * 1024 * 1024

test('where memory is plenty only the portal gets an option, for its short-lived garbage', () => {
  expect([heapOptions('portal', mebibytes(1024)), heapOptions('service', mebibytes(24_000))]).toEqual([['--max-semi-space-size=16'], []])
})

test('in 512 MB both heaps together leave almost half to everything else', () => {
  expect(heapOptions('portal', mebibytes(512))).toEqual(['--max-semi-space-size=4', '--max-old-space-size=174'])
  expect(heapOptions('service', mebibytes(512))).toEqual(['--max-semi-space-size=4', '--max-old-space-size=102'])
})

test('what computes in memory takes turns where there is little, and never waits for ever', () => {
  expect([4096, 1024, 512, 64].map((size) => atOnceInMemory(mebibytes(64), mebibytes(size)))).toEqual([8, 2, 1, 1])
})

test('a machine without a limit has what it has', () => {
  expect(memoryHere()).toBeGreaterThan(0)
  expect(memoryHere()).toBeLessThanOrEqual(totalmem())
})
