import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startCountdown } from '@/app/_ui/undo-toast'

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

test('a paused countdown stands still, and resumes with the remaining time', () => {
  const over = vi.fn()
  const { pause, resume } = startCountdown(1000, over)
  vi.advanceTimersByTime(600)
  pause()
  pause()
  vi.advanceTimersByTime(60_000)
  expect(over).not.toHaveBeenCalled()
  resume()
  resume()
  vi.advanceTimersByTime(399)
  expect(over).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(over).toHaveBeenCalledTimes(1)
  resume()
  vi.advanceTimersByTime(10_000)
  expect(over).toHaveBeenCalledTimes(1)
})

test('once stopped it never runs out', () => {
  const over = vi.fn()
  const { stop, resume } = startCountdown(1000, over)
  stop()
  resume()
  vi.advanceTimersByTime(10_000)
  expect(over).not.toHaveBeenCalled()
})
