/** What pages say about a batch: its state and its numbers. */
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { BatchRows, describeCounts, describeMode, endedOf, formatTargetName, stateOfBatch } from '@/app/_shared/batches/batch-summary'
import type { BatchSummary } from '@/lib/portal/batches/view'

const batch = (counts: Partial<BatchSummary['counts']>, more: Partial<BatchSummary> = {}): BatchSummary => ({
  id: 'batch',
  operation: 'backups.create',
  title: 'Back up 5 sites',
  noun: 'site',
  startedBy: 'Robin',
  mode: 'goOn',
  atOnce: 4,
  startedAt: '2026-11-26T10:00:00.000Z',
  stoppedAt: null,
  endedAt: '2026-11-26T10:05:00.000Z',
  stoppedBy: '',
  problem: null,
  counts: { waiting: 0, running: 0, done: 0, failed: 0, cancelled: 0, unknown: 0, skipped: 0, ...counts },
  ...more,
})

test.each([
  [batch({ done: 5 }), 'Done', '5 of 5 done.'],
  [batch({ done: 3, failed: 1, skipped: 1 }), '1 failed', '3 of 5 done, 1 failed, 1 not started.'],
  [batch({ done: 4, unknown: 1 }), '1 unknown', '4 of 5 done, 1 unknown.'],
  [batch({ done: 2, skipped: 3 }), 'Stopped', '2 of 5 done, 3 not started.'],
  [batch({ done: 1, running: 2, waiting: 2 }, { endedAt: null }), 'Running', '1 of 5 done, 2 running, 2 waiting.'],
  [
    batch({ running: 1, waiting: 4 }, { endedAt: null, stoppedAt: '2026-11-26T10:01:00.000Z' }),
    'Stopping',
    '0 of 5 done, 1 running, 4 waiting.',
  ],
])('%#: state and numbers', (given, label, counts) => {
  expect([stateOfBatch(given).label, describeCounts(given)]).toEqual([label, counts])
})

test('a running batch shows how much has ended, whatever the outcomes', () => {
  const running = batch({ done: 1, failed: 1, running: 1, waiting: 2 }, { endedAt: null, mode: 'stopAtFailure', atOnce: 1 })
  expect([endedOf(running), describeMode(running)]).toEqual([2, 'Up to 1 server at a time, stops at the first failure.'])
  const html = renderToStaticMarkup(createElement(BatchRows, { title: 'Several at once', batches: [running] }))
  expect(html).toContain('aria-valuenow="40"')
  expect(html).toContain('href="/jobs/batches/batch"')
})

test('a server keeps the name that people wrote, and a domain is readable', () => {
  expect(formatTargetName('server', 'Kiste')).toBe('Kiste')
  expect(formatTargetName('server', 'xn--mnchen-3ya')).toBe('xn--mnchen-3ya')
  expect(formatTargetName('site', 'xn--mnchen-3ya.example')).toBe('münchen.example')
  expect(formatTargetName('alias', 'xn--mnchen-3ya.example')).toBe('münchen.example')
})
