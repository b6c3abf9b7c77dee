import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startCountdown } from '@/app/_ui/countdown'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('it runs out once, after its time', () => {
  const over = vi.fn()
  startCountdown(1000, over)
  vi.advanceTimersByTime(999)
  expect(over).not.toHaveBeenCalled()
  vi.advanceTimersByTime(10_000)
  expect(over).toHaveBeenCalledTimes(1)
})

test('while it is held nothing passes, and it goes on with what was left', () => {
  const over = vi.fn()
  const { hold, letGo } = startCountdown(1000, over)
  vi.advanceTimersByTime(600)
  hold()
  hold()
  vi.advanceTimersByTime(60_000)
  expect(over).not.toHaveBeenCalled()
  letGo()
  letGo()
  vi.advanceTimersByTime(399)
  expect(over).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(over).toHaveBeenCalledTimes(1)
  letGo()
  vi.advanceTimersByTime(10_000)
  expect(over).toHaveBeenCalledTimes(1)
})

test('once stopped it never runs out', () => {
  const over = vi.fn()
  const { stop, letGo } = startCountdown(1000, over)
  stop()
  letGo()
  vi.advanceTimersByTime(10_000)
  expect(over).not.toHaveBeenCalled()
})
