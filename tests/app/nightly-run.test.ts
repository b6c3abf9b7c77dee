import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { FirstDue, NightlyRun } from '@/app/(portal)/servers/[serverId]/backups/nightly-run'

const at = new Date().toISOString()
const textOf = (...[answer]: Parameters<typeof NightlyRun>): string =>
  renderToStaticMarkup(createElement(NightlyRun, answer)).replace(/<[^>]*>/g, ' ')

test('a nightly backup that is switched off is reported with the command that switches it on; one that is on is not reported', () => {
  expect(textOf({ timer: { active: false, next: '' } })).toMatch(/is off.*systemctl enable --now gatehouse-backup\.timer/)
  expect(textOf({ timer: { active: true, next: at }, last: { state: 'done', at, reason: '' } })).toBe('')
  expect(textOf({})).toBe('')
})

test('running, partial and failed backups are reported with the reason', () => {
  expect(textOf({ last: { state: 'running', at, reason: '' } })).toMatch(/A backup is running/)
  expect(textOf({ last: { state: 'partial', at, reason: 'Missing: shop.' } })).toMatch(/partial.*Missing: shop\./)
  expect(textOf({ last: { state: 'failed', at: '', reason: 'No room.' } })).toMatch(/The last backup failed\..*No room\./)
})

test('before the first run the page says when it is due, where a timer is on', () => {
  const dueOf = (timer?: { active: boolean; next: string }) => renderToStaticMarkup(createElement(FirstDue, timer ? { timer } : {}))
  const next = new Date(Date.now() + 8 * 3_600_000).toISOString()
  expect(dueOf({ active: true, next })).toMatch(/No backup has run yet/)
  expect([dueOf({ active: false, next }), dueOf()]).toEqual(['', ''])
})
