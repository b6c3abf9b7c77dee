/** What the page of a job claims, and where it leads. */
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { NewestChange } from '@/app/_shared/sites/newest-change'
import { creation, SiteJob } from '@/app/_shared/sites/site-job'
import { JobPart } from '@/app/(portal)/jobs/[jobId]/job-part'
import type { SlowOperationId } from '@/lib/contract'
import type { JobView } from '@/lib/portal/jobs/view'

const job = (operation: SlowOperationId | null, sentence: string): JobView => ({
  id: 'job',
  operation,
  title: '',
  targetName: 'first.example',
  startedBy: 'Robin',
  isEvent: false,
  cancelledBy: '',
  note: '',
  credentialsFor: null,
  repeatable: false,
  newer: null,
  state: 'failed',
  step: 'PHP',
  progress: 40,
  eventCount: 0,
  serverId: 'server',
  siteId: 'site',
  startedAt: '2026-11-23T10:00:00Z',
  heardAt: '2026-11-23T10:00:00Z',
  endedAt: '2026-11-23T10:00:01Z',
  problem: { code: 'upstream_failed', sentence },
})

const render = (shown: JobView, extensions = true) =>
  renderToStaticMarkup(createElement(JobPart, { job: shown, lines: [], serverId: 'server', extensions, may: true }))

test('a failed creation may have left something, so the page does not deny it', () => {
  const sentence = 'Not everything could be taken back. Delete the site to remove the rest.'
  const failed = job('sites.create', sentence)
  const shown = renderToStaticMarkup(createElement(SiteJob, { job: failed, lines: [], extensions: true, may: true, kind: creation }))
  expect(shown).toContain(sentence)
  expect(shown).not.toContain('Nothing of the site')
})

test('a failed change of settings may have left something, so the page does not deny it', () => {
  const sentence = 'Not everything could be taken back. Save the settings again.'
  const shown = render(job('sites.configure', sentence))
  expect(shown).toContain(sentence)
  expect(shown).not.toContain('former settings')
})

test.each(['done', 'failed', 'unknown'] as const)('of a job (%s) that only a newer version knows nothing is claimed', (state) => {
  const shown = render({ ...job(null, 'It failed.'), state })
  expect(shown).toMatch(/href="\/sites\/site"[^>]*>View site</)
  expect(shown).not.toMatch(/View install|unfinished step|try again|was changed|was created/i)
  const ofServer = render({ ...job(null, 'It failed.'), state, siteId: null })
  expect(ofServer).toMatch(/href="\/servers\/server"[^>]*>View server</)
  expect(ofServer).not.toMatch(/View install|unfinished step|is up to date/)
})

test('a finished restore names the folder of the site that it replaced, if the service says so', () => {
  const done: JobView = { ...job('backups.restore', ''), state: 'done', problem: null }
  const show = (note: string) => render({ ...done, note })
  expect(show('/home/first3f9a/replaced')).toContain('/home/first3f9a/replaced')
  expect(show('')).toContain('first.example was restored.')
  expect(show('')).not.toContain('24 hours')
})

test.each([
  ['Last backup', '/sites/site#delete-without-backup', 'Delete without a last backup'],
  ['Delete', '/sites/site', 'View site'],
])('a deletion that failed at the step %s leads to %s', (step, href, label) => {
  const failed = { ...job('sites.delete', 'There is no room for a backup.'), step }
  const shown = render(failed)
  expect(shown).toMatch(new RegExp(`href="${href}"[^>]*>${label}<`))
})

test('a running change on the page of a site names what runs', () => {
  const running: JobView = { ...job('backups.create', ''), title: 'Back up first.example', state: 'running', problem: null, endedAt: null }
  expect(renderToStaticMarkup(createElement(NewestChange, { job: running }))).toContain('Back up first.example')
})

test.each([
  ['job', '/jobs/newer', 'View the newer job'],
  ['batch', '/jobs/batches/newer', 'View the repetition'],
] as const)('a job whose work a newer %s started again leads to it, also for those who may only view', (kind, href, label) => {
  const shown = { ...job('aliases.save', 'It failed.'), newer: { kind, id: 'newer' } }
  for (const may of [true, false]) {
    const page = renderToStaticMarkup(createElement(JobPart, { job: shown, lines: [], serverId: 'server', extensions: true, may }))
    expect(page).toMatch(new RegExp(`href="${href}"[^>]*>${label}<`))
    expect(page.includes('View aliases')).toBe(may)
  }
})

test.each(['servers.install', 'servers.upgrade', 'servers.applyUpdates'] as const)(
  '%s: the page of a job that was started again leads to the newer one, and does not start it once more',
  (operation) => {
    const failed: JobView = { ...job(operation, 'It failed.'), siteId: null, newer: { kind: 'job', id: 'newer' } }
    for (const state of ['failed', 'interrupted', 'unknown'] as const) {
      const shown = render({ ...failed, state })
      expect(shown).toMatch(/href="\/jobs\/newer"[^>]*>View the newer job</)
      expect(shown).not.toMatch(/>Try again<|>View install</)
    }
  },
)

test.each([
  ['key_frozen', 'backups.restore'],
  ['no_connection', 'apps.push'],
  ['key_frozen', 'servers.upgrade'],
] as const)('while nothing is followed because of %s, the page of %s offers neither to stop that nor to cancel', (code, operation) => {
  const followed: JobView = { ...job(operation, ''), state: 'running', endedAt: null, problem: null }
  expect(render(followed)).toContain('Stop following')
  const held: JobView = { ...followed, state: 'interrupted', problem: { code, sentence: 'Followed no more, still running on the server.' } }
  expect(render(held)).toContain('Followed no more')
  expect(render(held)).not.toMatch(/Stop following|Cancel job/)
  // Retried automatically, which can be stopped.
  expect(render({ ...held, problem: { code: 'upstream_unreachable', sentence: '' } })).toContain('Stop following')
})
