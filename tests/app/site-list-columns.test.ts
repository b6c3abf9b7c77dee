/** Sites by certificate: in words, as a filter, sorted and as a file, from one definition of each column. */
import { expect, test } from 'vitest'
import { renderCsv } from '@/app/_shared/collection/csv'
import { filledColumnsOf } from '@/app/_shared/collection/list-column'
import { filterRows, indexRows, sortRows } from '@/app/_shared/collection/rows'
import { siteBackupAgeOf } from '@/app/_shared/sites/common-columns'
import { certificateOf, siteColumns } from '@/app/_shared/sites/site-columns'
import { siteCollection, siteCsv } from '@/app/_shared/sites/site-rows'
import { formatDaysLeft } from '@/app/_shared/sites/site-state'
import type { ListedSite } from '@/lib/portal/subjects/sites/row'
import { readCsv } from '@/tests/support/read-csv'

const now = Date.now()
const inDays = (days: number) => new Date(now + days * 86_400_000 + 3_600_000).toISOString()

const site = (domain: string, more: Partial<ListedSite> = {}): ListedSite => ({
  id: `id-${domain}`,
  domain,
  serverId: 'server',
  server: 'web-01',
  state: 'ready',
  ssl: 'on',
  expires: inDays(60),
  usage: '1024',
  address: '192.0.2.1',
  mx: '',
  staging: '',
  php: '',
  app: '',
  appVersion: '',
  aliases: [],
  backupAt: '',
  points: '',
  connectionLabel: 'Bundled service',
  extensions: true,
  labels: [],
  ...more,
})

const some = [
  site('fine.example'),
  site('soon.example', { expires: inDays(9), staging: 'staging.soon.example' }),
  site('over.example', { expires: inDays(-4) }),
  site('plain.example', { ssl: 'off', expires: '' }),
  site('foreign.example', { ssl: '', expires: '' }),
]

const index = indexRows(siteCollection, some)

test('a certificate says how many days it has left', () => {
  const at = Date.parse('2027-02-12T10:00:00Z')
  expect(formatDaysLeft('2027-02-14T11:00:00Z', at)).toBe('2 days left')
  expect(formatDaysLeft('2027-02-13T11:00:00Z', at)).toBe('1 day left')
  expect(formatDaysLeft('2027-02-12T11:00:00Z', at)).toBe('Expires today')
  expect(formatDaysLeft('2027-02-12T09:00:00Z', at)).toBe('Expired today')
  expect(formatDaysLeft('2027-02-09T09:00:00Z', at)).toBe('Expired 3 days ago')
  expect(formatDaysLeft('in spring', at)).toBe('in spring')
})

test('certificates that end soon or are over can be filtered', () => {
  expect(some.map((one) => certificateOf(one))).toEqual([['on'], ['on', 'soon'], ['on', 'expired'], ['off'], []])
  const shown = filterRows(siteCollection, index, { ...siteCollection.query.whole, ssl: ['soon', 'expired'] })
  expect(shown.map(({ domain }) => domain)).toEqual(['soon.example', 'over.example'])
})

test('sorted by certificate, the one that ends first comes first and sites without one come last', () => {
  const sorted = sortRows(siteCollection, index, 'ssl', false)
  expect(sorted.map(({ row }) => row.domain)).toEqual(['plain.example', 'over.example', 'soon.example', 'fine.example', 'foreign.example'])
})

test('every column can be sorted by, and the file has the domain first and the id last', () => {
  expect(Object.keys(siteCollection.sortTexts)).toContain('staging')
  const [head, first] = readCsv(renderCsv(siteCsv, some))
  expect([head?.[0], head?.at(-1)]).toEqual(['Domain', 'Id'])
  expect(new Set(head).size).toBe(head?.length)
  expect(first?.[0]).toBe('fine.example')
})

test('sites are sorted and filtered by PHP and last backup; both are empty if the service does not report them', () => {
  const hoursAgo = (hours: number) => new Date(now - hours * 3_600_000).toISOString()
  const backed = [
    site('night.example', { php: '8.2', backupAt: hoursAgo(10) }),
    site('older.example', { php: '8.10', backupAt: hoursAgo(70) }),
    site('never.example', { php: '8.2', backupAt: 'none' }),
    site('foreign.example'),
  ]
  expect(backed.map((one) => siteBackupAgeOf(one, now))).toEqual([['night'], ['older'], ['none'], []])
  const rows = indexRows(siteCollection, backed)
  const sorted = (column: string) => sortRows(siteCollection, rows, column, false).map(({ row }) => row.domain)
  expect(sorted('backup')).toEqual(['never.example', 'older.example', 'night.example', 'foreign.example'])
  expect(sorted('php')).toEqual(['never.example', 'night.example', 'older.example', 'foreign.example'])
  const shown = filterRows(siteCollection, rows, { ...siteCollection.query.whole, php: ['8.2'], backup: ['none'] })
  expect(shown.map(({ domain }) => domain)).toEqual(['never.example'])
  expect(filledColumnsOf(siteColumns, backed)).toEqual(expect.arrayContaining(['php', 'backup']))
  expect(filledColumnsOf(siteColumns, backed.slice(3))).not.toContain('backup')
})

test('sites are sorted by app and version, and filtered by an app or one of its versions', () => {
  const withApps = [
    site('old.example', { app: 'WordPress', appVersion: '6.1.9' }),
    site('wiki.example', { app: 'DokuWiki', appVersion: '2024-02-06b' }),
    site('new.example', { app: 'WordPress', appVersion: '6.10.1' }),
    site('plain.example'),
  ]
  const rows = indexRows(siteCollection, withApps)
  const domains = sortRows(siteCollection, rows, 'app', false).map(({ row }) => row.domain)
  expect(domains).toEqual(['wiki.example', 'old.example', 'new.example', 'plain.example'])
  const filtered = (...app: string[]) =>
    filterRows(siteCollection, rows, { ...siteCollection.query.whole, app }).map(({ domain }) => domain)
  expect(filtered('WordPress')).toEqual(['old.example', 'new.example'])
  expect(filtered('WordPress 6.1.9', 'DokuWiki')).toEqual(['old.example', 'wiki.example'])
  expect(filledColumnsOf(siteColumns, withApps)).toContain('app')
  expect(filledColumnsOf(siteColumns, withApps.slice(3))).not.toContain('app')
  const [head, first] = readCsv(renderCsv(siteCsv, withApps))
  expect([first?.[head?.indexOf('App') ?? 0], first?.[head?.indexOf('App version') ?? 0]]).toEqual(['WordPress', '6.1.9'])
})

test('sites are found by their aliases, and filtered by labels', () => {
  const labelled = [
    site('one.example', { aliases: ['xn--mnchen-3ya.example'], labels: ['client: northwind'] }),
    site('two.example', { labels: ['client: contoso', 'shop'] }),
    site('three.example'),
  ]
  const rows = indexRows(siteCollection, labelled)
  const shown = (query: Partial<typeof siteCollection.query.whole>) =>
    filterRows(siteCollection, rows, { ...siteCollection.query.whole, ...query }).map(({ domain }) => domain)
  expect(shown({ search: 'münchen' })).toEqual(['one.example'])
  expect(shown({ search: 'contoso' })).toEqual(['two.example'])
  expect(shown({ label: ['shop', 'client: northwind'] })).toEqual(['one.example', 'two.example'])
  expect(filledColumnsOf(siteColumns, labelled)).toContain('labels')
  expect(filledColumnsOf(siteColumns, labelled.slice(2))).not.toContain('labels')
})
