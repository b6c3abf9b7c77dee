/** Backups of all sites: how each is judged, what comes first, and the line above them, whose parts filter. */
import { expect, test } from 'vitest'
import { renderCsv } from '@/app/_shared/collection/csv'
import { tableColumnsOf } from '@/app/_shared/collection/list-column'
import { countFacetValues } from '@/app/_shared/collection/query'
import { filterRows, indexRows, sortRows } from '@/app/_shared/collection/rows'
import { findThresholds } from '@/app/_ui/table/layout'
import { backupLineColumns } from '@/app/(portal)/backups/backup-line-columns'
import { backupCollection, backupCsv } from '@/app/(portal)/backups/backup-lines'
import { backupStateOf, copiedBytesOf, describeBackupState, proofOf } from '@/app/(portal)/backups/backup-state'
import { describeBackups } from '@/app/(portal)/backups/describe-backups'
import type { BackupLine } from '@/lib/portal/views/backups/line'
import { readCsv } from '@/tests/support/read-csv'

const now = Date.now()
const hoursAgo = (hours: number) => new Date(now - hours * 3_600_000).toISOString()

const line = (domain: string, more: Partial<BackupLine> = {}): BackupLine => ({
  of: 'site',
  id: `id-${domain}`,
  domain,
  gone: false,
  serverId: 'server',
  server: 'web-01',
  backupAt: hoursAgo(5),
  failedAt: '',
  copyFailedAt: '',
  nextCopyAt: '',
  copies: [{ target: 'Paris', at: hoursAgo(4), isSafe: true, bytes: 3_000_000, proven: hoursAgo(30) }],
  extensions: true,
  ...more,
})

const lines = [
  line('good.example'),
  line('here.example', { copies: [] }),
  line('kit.example', { copies: [{ target: 'Oslo', at: hoursAgo(3), isSafe: false, bytes: 2_000_000, proven: '' }] }),
  line('copy.example', { copyFailedAt: hoursAgo(2) }),
  line('bad.example', { copies: [{ target: 'Oslo', at: hoursAgo(3), isSafe: true, bytes: 1, proven: 'bad' }] }),
  line('late.example', { backupAt: hoursAgo(27) }),
  line('later.example', { backupAt: hoursAgo(80) }),
  line('failed.example', { failedAt: hoursAgo(1) }),
  line('none.example', { backupAt: 'none', failedAt: hoursAgo(1) }),
  line('unknown.example', { backupAt: '', extensions: false, copies: [] }),
  line('gone.example', { gone: true, backupAt: '' }),
]

const index = indexRows(backupCollection, lines)
const counts = countFacetValues(backupCollection.query.facets, index)
const whole = backupCollection.query.whole

test('the worst comes first, of those that are late the oldest; deleted sites come last', () => {
  const sorted = sortRows(backupCollection, index, whole.column, whole.descending)
  expect(sorted.map(({ row }) => backupStateOf(row))).toEqual([
    'none',
    'failed',
    'bad',
    'late',
    'late',
    'unknown',
    'copy',
    'here',
    'kit',
    'good',
    'gone',
  ])
  expect(sorted.slice(3, 5).map(({ row }) => row.domain)).toEqual(['later.example', 'late.example'])
})

test('a backup is late after 26 hours, and what is not known is never good', () => {
  const at = Date.parse('2026-11-28T12:00:00Z')
  expect(backupStateOf(line('a.example', { backupAt: '2026-11-27T10:00:01Z' }), at)).toBe('good')
  expect(backupStateOf(line('a.example', { backupAt: '2026-11-27T10:00:00Z' }), at)).toBe('late')
  expect(backupStateOf(line('a.example', { backupAt: '' }), at)).toBe('unknown')
  expect(backupStateOf(line('a.example', { backupAt: '', failedAt: hoursAgo(1) }), at)).toBe('failed')
  // Somebody who may not know of copies is not told that there are none.
  expect(backupStateOf(line('a.example', { backupAt: '2026-11-28T02:00:00Z', copies: null }), at)).toBe('good')
})

test('a state says why, and when an attempt failed', () => {
  expect(describeBackupState(line('a.example', { failedAt: hoursAgo(3) }), now)).toBe(
    'The newest attempt to back it up failed, 3 hours ago.',
  )
  expect(describeBackupState(line('a.example', { copyFailedAt: hoursAgo(3) }), now)).toBe(
    'It was backed up, but the newest attempt to copy that elsewhere failed, 3 hours ago.',
  )
  expect(describeBackupState(line('a.example', { backupAt: 'none', failedAt: hoursAgo(3) }), now)).toBe(
    'Its service reports that there is no backup. The newest attempt failed, 3 hours ago.',
  )
  expect(describeBackupState(line('a.example'), now)).toBe('It was backed up within the last 26 hours.')
})

test('one line describes all backups, and each of its parts shows as many sites as it counts', () => {
  const parts = describeBackups(counts, lines.length)
  expect(parts.map(({ text }) => text)).toEqual([
    '6 of 9 sites have a good backup of the last 26 hours',
    '1 never backed up',
    '1 failed',
    '1 with a bad copy',
    '2 are late',
    '1 unknown',
    '1 could not be copied',
    '1 without a copy elsewhere',
    '1 without a confirmed recovery kit',
    'copies of 1 deleted site',
  ])
  expect(parts.map(({ query }) => filterRows(backupCollection, index, query).length)).toEqual([6, 1, 1, 1, 2, 1, 1, 1, 1, 1])
  const good = indexRows(backupCollection, lines.slice(0, 1))
  expect(describeBackups(countFacetValues(backupCollection.query.facets, good), 1)).toEqual([
    { text: '1 site has a good backup of the last 26 hours', query: { ...whole, backup: ['night'] }, isGood: true },
  ])
})

test('with servers among them, the line counts sites and servers, and they can be told apart', () => {
  const all = [line('a.example'), line('web-01', { of: 'server' }), line('web-02', { of: 'server', gone: true, backupAt: '' })]
  const indexed = indexRows(backupCollection, all)
  expect(describeBackups(countFacetValues(backupCollection.query.facets, indexed), all.length).map(({ text }) => text)).toEqual([
    '2 sites and servers have a good backup of the last 26 hours',
    'copies of 1 deleted site or server',
  ])
  expect(filterRows(backupCollection, indexed, { ...whole, of: ['server'] }).map(({ domain }) => domain)).toEqual(['web-01', 'web-02'])
})

test('sites are filtered by where their copies are, and the file has all that is known', () => {
  const at = (where: string) => filterRows(backupCollection, index, { ...whole, where: [where] }).map(({ domain }) => domain)
  expect(at('Oslo')).toEqual(['kit.example', 'bad.example'])
  expect(at('This server only')).toEqual(['here.example'])
  const [head, ...rows] = readCsv(renderCsv(backupCsv, lines))
  expect(head).toEqual([
    'Domain',
    'State',
    'Server',
    'Last backup',
    'Failed since',
    'Bytes of the copy',
    'Where',
    'Last copy',
    'Copy failed since',
    'Proven',
    'Next copy',
    'Id',
  ])
  expect(rows[8]).toEqual([
    'none.example',
    'Never backed up',
    'web-01',
    'None',
    hoursAgo(1),
    '3000000',
    'Paris',
    hoursAgo(4),
    '',
    hoursAgo(30),
    '',
    'id-none.example',
  ])
})

test('what was never backed up says so once, and the file of the list is named after it', () => {
  const { cell } = backupLineColumns.backup
  expect([cell(line('none.example', { backupAt: 'none' })), cell(line('here.example'))]).toEqual([null, expect.anything()])
  expect(backupCollection.csvName).toBe('backups')
})

test('of several copies, a bad one counts, else the newest proof, and the size is that of the newest copy', () => {
  const copy = { target: 'Paris', at: hoursAgo(20), isSafe: true, bytes: 1, proven: hoursAgo(50) }
  const newer = { ...copy, target: 'Oslo', at: hoursAgo(2), bytes: 2, proven: '' }
  expect([proofOf({ copies: [copy, newer] }), copiedBytesOf({ copies: [copy, newer] })]).toEqual([hoursAgo(50), 2])
  expect([proofOf({ copies: [copy, { ...newer, proven: 'bad' }] }), proofOf({ copies: [newer] }), proofOf({ copies: null })]).toEqual([
    'bad',
    '',
    '',
  ])
  // A bad copy counts although the site was backed up in time; a reader who may not know of copies is not.
  expect(backupStateOf(line('a.example', { copies: [{ ...copy, proven: 'bad' }] }), now)).toBe('bad')
  const [worst, , oldest] = sortRows(
    backupCollection,
    indexRows(backupCollection, [
      line('new.example', { copies: [{ ...copy, proven: hoursAgo(1) }] }),
      line('never.example', { copies: [newer] }),
      line('bad.example', { copies: [{ ...copy, proven: 'bad' }] }),
      line('old.example', { copies: [copy] }),
    ]),
    'proven',
    false,
  )
  expect([worst?.row.domain, oldest?.row.domain]).toEqual(['bad.example', 'old.example'])
})

test('the copy of a server is not called never proven, because Gatehouse proves only copies of sites', () => {
  const { has, cell, sortText } = backupLineColumns.proven
  const copies = [{ target: 'Oslo', at: hoursAgo(3), isSafe: true, bytes: 1, proven: '' }]
  const [site, server] = [line('new.example', { copies }), line('web-01', { of: 'server', copies })]
  expect([has?.(site), has?.(server), cell(server), sortText?.(site), sortText?.(server)]).toEqual([true, false, null, '1', '9'])
})

test('beside the sidebar at 1,100 px, the list has the server and the proof; with more room the rest', () => {
  const columns = tableColumnsOf(backupLineColumns, () => true)
  const thresholds = findThresholds({ columns, selects: true, menu: 'menu' })
  const shownAt = (width: number) => columns.flatMap(({ id }) => ((thresholds.get(id) ?? 0) <= width ? [id] : []))
  // What the sidebar, the edges of the page and a scroll bar leave of 1,100 px.
  expect(shownAt(1100 - 232 - 58 - 15)).toEqual(['state', 'domain', 'server', 'backup', 'proven'])
  expect(shownAt(1600)).toEqual(columns.map(({ id }) => id))
})
