import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type CallPace, limitsOf, startWatch, type Watch } from '@/lib/portal/upstream/watch'
import { parseSettings } from '@/lib/settings/settings'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const start = (pace: CallPace, given: Record<string, string> = {}): Watch => startWatch(limitsOf(pace, parseSettings(given, '/')))

/** Whether the watch of a call that says nothing has ended it after so many seconds. */
const isOver = async (watch: Watch, seconds: number): Promise<boolean> => {
  await vi.advanceTimersByTimeAsync(seconds * 1000)
  return watch.signal.aborted
}

test.each([
  ['read', {}, 30],
  ['change', {}, 60],
  ['read', { READ_SECONDS: '5' }, 5],
  ['change', { CHANGE_SECONDS: '120' }, 120],
  ['stream', {}, 12 * 3600],
  ['slow', { JOB_HOURS: '1' }, 3600],
] as const)('security 34: a %s with the settings %j is given up after %i s without an answer', async (pace, given, seconds) => {
  const watch = start(pace, given)
  expect(await isOver(watch, seconds - 1)).toBe(false)
  expect(await isOver(watch, 1)).toBe(true)
})

test.each(['stream', 'slow'] as const)('a %s stays open after 60 s, 90 s and 30 minutes of silence', async (pace) => {
  const watch = start(pace)
  watch.heard()
  for (const seconds of [61, 30, 1800]) expect(await isOver(watch, seconds)).toBe(false)
  watch.end()
})

test('a read whose body arrives byte by byte still ends at its limit', async () => {
  const watch = start('read')
  for (let second = 0; second < 29; second += 1) {
    watch.heard()
    expect(await isOver(watch, 1)).toBe(false)
  }
  watch.heard()
  expect(await isOver(watch, 1)).toBe(true)
})
