import { expect, test } from 'vitest'
import { formatSilence, lastOutputAt } from '@/app/_shared/jobs/job-card'

test.each([
  [0, null],
  [19_999, null],
  [20_000, 'No output for 20 s'],
  [70_400, 'No output for 70 s'],
  [119_999, 'No output for 119 s'],
  [180_000, 'No output for 3 min 0 s'],
  [7_500_000, 'No output for 2 h 5 min'],
])('%i ms without a line read %j', (ms, text) => {
  expect(formatSilence(ms)).toBe(text)
})

test('a heartbeat without a message is not output, and before the first line the silence begins at the start', () => {
  const startedAt = '2026-11-22T10:00:00.000Z'
  expect(lastOutputAt([], startedAt)).toBe(Date.parse(startedAt))
  const lines = [
    { at: '2026-11-22T10:01:00.000Z', message: 'Unpacking' },
    { at: '2026-11-22T10:02:00.000Z', message: '' },
  ]
  expect(lastOutputAt(lines, startedAt)).toBe(Date.parse('2026-11-22T10:01:00.000Z'))
})
