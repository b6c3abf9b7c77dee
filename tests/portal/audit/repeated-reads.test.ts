import { expect, test } from 'vitest'
import { repeatedRead } from '@/lib/portal/audit/repeated-reads'

test('a logged read suppresses further entries for ten minutes, for the same session, object and fields only', () => {
  let at = 1_000_000
  const read = (...parts: string[]) => repeatedRead(parts, () => at)
  expect(read('s', 'log').stands()).toBe(false)
  // Without an entry the read is not yet recorded, however often it is checked.
  expect(read('s', 'log').stands()).toBe(false)
  read('s', 'log').note()
  at += 599_999
  expect(read('s', 'log').stands()).toBe(true)
  expect([read('s', 'other').stands(), read('t', 'log').stands(), read('s,log').stands()]).toEqual([false, false, false])
  at += 1
  expect(read('s', 'log').stands()).toBe(false)
  read('t', 'log').note()
  expect([read('s', 'log').stands(), read('t', 'log').stands()]).toEqual([false, true])
})

test('with the clock set back a read is logged again, rather than suppressed until the clock has caught up', () => {
  let at = 100_000_000
  const read = repeatedRead(['a', 'b'], () => at)
  read.note()
  at -= 86_400_000
  expect(read.stands()).toBe(false)
})
