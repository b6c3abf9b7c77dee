/** Values that are found out in the background. */
import { expect, test } from 'vitest'
import { createBackground } from '@/lib/service/background'

test('a known value is returned at once however old it is, and found out again for later readers, not more often than allowed', async () => {
  let nowMs = 0
  let asked = 0
  const background = createBackground<number>(1000, () => nowMs)
  const read = () => background.read('one', async () => ++asked)
  expect(await Promise.all([read(), read()])).toEqual([1, 1])
  nowMs = 999
  expect(await read()).toBe(1)
  nowMs = 1000
  expect(await Promise.all([read(), read()])).toEqual([1, 1])
  expect(await read()).toBe(2)
  background.forget('one')
  expect(await read()).toBe(3)
  expect(await background.read('other', async () => 9)).toBe(9)
})
