/** What the page of a failed job of a site claims. */
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { NewestChange } from '@/app/_shared/sites/newest-change'
import { SiteJob } from '@/app/_shared/sites/site-job'
import type { JobView } from '@/lib/portal/jobs/view'

const job = (operation: string, sentence: string): JobView => ({
  ...{
    id: 'job',
    operation,
    title: '',
    targetName: 'first.example',
    startedBy: 'Robin',
    cancelledBy: '',
    note: '',
    credentialsFor: null,
    repeatable: false,
  },
  ...{ state: 'failed', step: 'PHP', progress: 40, eventCount: 0, serverId: 'server', siteId: 'site' },
  ...{ startedAt: '2026-11-23T10:00:00Z', heardAt: '2026-11-23T10:00:00Z', endedAt: '2026-11-23T10:00:01Z' },
  problem: { code: 'upstream_failed', sentence },
})

test.each([
  ['sites.create', 'Not everything could be taken back. Delete the site to remove the rest.'],
  ['sites.configure', 'Not everything could be taken back. Save the settings again.'],
])('a failed job of %s may have left something, so the page does not deny it', (operation, sentence) => {
  const shown = renderToStaticMarkup(createElement(SiteJob, { job: job(operation, sentence), lines: [], extensions: true, may: true }))
  expect(shown).toContain(sentence)
  expect(shown).not.toMatch(/Nothing of the site|former settings/)
})

test('a finished restore names the folder of the site that it replaced, if the service says so', () => {
  const done: JobView = { ...job('backups.restore', ''), state: 'done', problem: null }
  const show = (note: string) =>
    renderToStaticMarkup(createElement(SiteJob, { job: { ...done, note }, lines: [], extensions: true, may: true }))
  expect(show('/home/first3f9a/replaced')).toContain('/home/first3f9a/replaced')
  expect(show('')).toContain('first.example was restored.')
  expect(show('')).not.toContain('24 hours')
})

test.each([
  ['Last backup', '/sites/site#delete-without-backup', 'Delete without a last backup'],
  ['Delete', '/sites/site', 'View site'],
])('a deletion that failed at the step %s leads to %s', (step, href, label) => {
  const failed = { ...job('sites.delete', 'There is no room for a backup.'), step }
  const shown = renderToStaticMarkup(createElement(SiteJob, { job: failed, lines: [], extensions: true, may: true }))
  expect(shown).toMatch(new RegExp(`href="${href}"[^>]*>${label}<`))
})

test('a running change on the page of a site names what runs', () => {
  const running: JobView = { ...job('backups.create', ''), title: 'Back up first.example', state: 'running', problem: null, endedAt: null }
  expect(renderToStaticMarkup(createElement(NewestChange, { job: running }))).toContain('Back up first.example')
})
