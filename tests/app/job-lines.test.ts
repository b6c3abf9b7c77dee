import { expect, test } from 'vitest'
import { withoutCancellation } from '@/app/_shared/jobs/job-progress'
import { logLinesOf } from '@/app/_shared/jobs/job-state'
import type { JobEventView } from '@/lib/portal/jobs/view'

const line = (seq: number, given: Partial<JobEventView>): JobEventView => ({
  seq,
  at: '2026-11-22T10:00:00.000Z',
  step: '',
  progress: null,
  status: 'running',
  message: `line ${seq}`,
  ...given,
})

test('the log of a job highlights omitted and failed lines', () => {
  const lines = [line(1, {}), line(2, { status: 'left-out', message: '… 12,400 lines left out' }), line(3, { status: 'failed' })]
  expect(logLinesOf(lines)).toEqual([
    { number: 1, text: 'line 1' },
    { number: 2, text: '… 12,400 lines left out', tone: 'left-out' },
    { number: 3, text: 'line 3', tone: 'danger' },
  ])
})

test('a line that only repeats the heading of its step is not shown twice', () => {
  const lines = [line(1, { step: 'web-server', message: 'Web server' }), line(2, { step: 'web-server', message: 'Web server' })]
  expect(logLinesOf(lines)).toEqual([
    { number: null, text: 'Web server', tone: 'step' },
    { number: 2, text: 'Web server' },
  ])
})

test('a step in words keeps the hyphens of the domain in it', () => {
  const step = 'Waits for the backup of my-site.example'
  expect(logLinesOf([line(1, { step, message: step })])).toEqual([{ number: null, text: step, tone: 'step' }])
})

test('the last line of a cancelled job is no error; what failed before it is one', () => {
  const lines = [line(1, { status: 'failed' }), line(2, { status: 'failed', message: 'Cancelled.' })]
  expect(logLinesOf(withoutCancellation(lines, 'cancelled')).map(({ tone }) => tone)).toEqual(['danger', undefined])
  expect(logLinesOf(withoutCancellation(lines, 'failed')).map(({ tone }) => tone)).toEqual(['danger', 'danger'])
})
