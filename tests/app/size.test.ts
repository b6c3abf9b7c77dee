/** Sizes as pages show them, one by one and in total. */
import { expect, test } from 'vitest'
import { formatSize, totalBytes } from '@/app/_ui/size'

test('a plain number is bytes, and anything else is shown as it came', () => {
  expect(['0', '1536', '42949672960', '12.4 GB', '41%', ''].map(formatSize)).toEqual(['0 B', '1.5 KB', '40 GB', '12.4 GB', '41%', ''])
})

test('a total is known only if each size is', () => {
  const of = (...sizes: string[]) => totalBytes(sizes.map((size) => ({ size })))
  expect([of(), of('1', '2'), of('1', ''), of('some')]).toEqual([0, 3, null, null])
})
