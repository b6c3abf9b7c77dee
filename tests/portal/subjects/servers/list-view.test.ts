/** The list as the page shows it: searched, filtered, ordered, selected, as a file, and all of that in the address. */
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { renderCsv } from '@/app/_shared/collection/csv'
import { choicesOf, filledColumnsOf, tableColumnsOf, usualColumnsOf, withFolded } from '@/app/_shared/collection/list-column'
import { withView } from '@/app/_shared/collection/use-list-views'
import { rangeOf } from '@/app/_shared/collection/use-selection'
import { backupAgeOf, figuresFor } from '@/app/_shared/servers/figures'
import { type ServerLine, vitalsById, withVitals } from '@/app/_shared/servers/server-line'
import { chipOf } from '@/app/_shared/servers/server-state'
import { columns, isFiltered, type ListQuery, parseListQuery, printListQuery, wholeList } from '@/app/(portal)/servers/list-query'
import { countFacets, filterServers, indexServers, orderServers, serverCsv } from '@/app/(portal)/servers/list-rows'
import { createScreen } from '@/app/(portal)/servers/screen-figures'
import { describeUpdates, serverColumns } from '@/app/(portal)/servers/server-columns'
import { placeFigures } from '@/app/(portal)/servers/use-figures'
import { readCsv } from '@/tests/support/read-csv'

const server = (name: string, more: Partial<ServerLine> = {}): ServerLine => ({
  id: `id-${name}`,
  name,
  hostname: `${name}.example`,
  dns: '',
  address: '',
  provider: 'ssh',
  state: 'ready',
  sandbox: false,
  connectionLabel: 'Bundled service',
  extensions: true,
  runningJobId: null,
  labels: [],
  reach: { kind: 'reachable' as const },
  ...more,
})

const some = [
  server('web-10', { address: '198.51.100.7', labels: ['client: northwind', 'production'] }),
  server('web-9', { dns: 'Cloudflare', state: 'failed', provider: 'sandbox', sandbox: true }),
  server('Mail-1', { state: 'new', labels: ['production'] }),
  server('db-1', { state: 'new', runningJobId: 'job', connectionLabel: 'Second, service' }),
]

const namesFor = (query: Partial<ListQuery>) => {
  const wanted = { ...wholeList, ...query }
  return filterServers(orderServers(indexServers(some), wanted.column, wanted.descending), wanted).map(({ name }) => name)
}

const queries = fc.record<ListQuery>({
  search: fc.string({ maxLength: 200 }).filter((text) => text.trim() !== '' || text === ''),
  column: fc.constantFrom(...columns),
  descending: fc.boolean(),
  needsInstall: fc.boolean(),
  shown: fc.subarray([...columns, 'day'], { minLength: 1 }),
  state: fc.uniqueArray(fc.string({ minLength: 1 }), { maxLength: 5 }),
  disk: fc.uniqueArray(fc.string({ minLength: 1 }), { maxLength: 5 }),
  memory: fc.uniqueArray(fc.string({ minLength: 1 }), { maxLength: 5 }),
  updates: fc.uniqueArray(fc.string({ minLength: 1 }), { maxLength: 5 }),
  backup: fc.uniqueArray(fc.string({ minLength: 1 }), { maxLength: 5 }),
  kind: fc.uniqueArray(fc.string({ minLength: 1 }), { maxLength: 5 }),
  service: fc.uniqueArray(fc.string({ minLength: 1 }), { maxLength: 5 }),
  label: fc.uniqueArray(fc.string({ minLength: 1 }), { maxLength: 5 }),
})

test('every query round-trips through its address, and the default view has none', () => {
  fc.assert(
    fc.property(queries, (query) => {
      expect(parseListQuery(new URLSearchParams(printListQuery(query)))).toEqual(query)
    }),
  )
  expect(printListQuery(wholeList)).toBe('')
  expect(isFiltered(wholeList)).toBe(false)
})

test('columns are named in one order, whichever was chosen first; without a name the member’s own count', () => {
  const shown = ['day', 'disk', 'state']
  expect(printListQuery({ ...wholeList, shown })).toBe('?cols=state+disk+day')
  expect(parseListQuery(new URLSearchParams('cols=disk+nothing+__proto__'))).toEqual({ ...wholeList, shown: ['disk'] })
  expect(parseListQuery(new URLSearchParams('cols=nothing'))).not.toHaveProperty('shown')
  expect(isFiltered({ ...wholeList, shown })).toBe(false)
})

test('below a name, a phone shows what the column that is hidden last would say, whatever a member chose', () => {
  const folded = (ids: readonly string[]) =>
    withFolded(
      tableColumnsOf(serverColumns, (id) => ids.includes(id)),
      () => 'below',
    ).flatMap((column) => (column.folded ? [column.id] : []))
  expect([folded(['state', 'disk', 'day']), folded(['disk', 'day']), folded(['dns'])]).toEqual([['state'], ['disk'], ['dns']])
  expect(usualColumnsOf(serverColumns)).not.toContain('dns')
  expect(choicesOf(serverColumns, (id) => id !== 'service').map(({ id }) => id)).not.toContain('name')
})

test('a column is there once any server has something to show in it', () => {
  const filled = (servers: readonly ServerLine[]) => filledColumnsOf(serverColumns, servers)
  const bare = server('bare', { hostname: 'bare', labels: [], state: 'new' })
  expect(filled([bare])).toEqual(['state', 'name', 'address', 'dns', 'provider', 'service'])
  expect(filled([bare, server('web-1', { labels: ['client'], state: 'ready' })])).toEqual(
    expect.arrayContaining(['hostname', 'labels', 'day']),
  )
  const [known] = withVitals([bare], vitalsById([['id-bare', 40, null, 0, 0, 2, null, null]]))
  const more = filled(known ? [known] : []).filter((id) => !filled([bare]).includes(id))
  expect(more).toEqual(['disk', 'updates', 'sites'])
})

test('an invalid address is the default view', () => {
  const address = new URLSearchParams('sort=-__proto__&needs=nothing&state=&label=&column=dns&kind')
  expect(parseListQuery(address)).toEqual(wholeList)
  const long = parseListQuery(new URLSearchParams([['q', 'x'.repeat(9000)], ...Array.from({ length: 500 }, (_, n) => ['label', `l${n}`])]))
  expect([long.search.length, long.label.length]).toEqual([200, 50])
})

test('every word of the search must occur, in name, hostname, address, DNS, label or service', () => {
  expect(namesFor({ search: ' WEB example ' })).toEqual(['web-9', 'web-10'])
  expect(namesFor({ search: '198.51 northwind' })).toEqual(['web-10'])
  expect(namesFor({ search: 'cloudflare sandbox' })).toEqual(['web-9'])
  expect(namesFor({ search: 'second' })).toEqual(['db-1'])
  expect(namesFor({ search: 'web mail' })).toEqual([])
})

test('different filters narrow the list, several values of one filter widen it', () => {
  expect(namesFor({ state: ['failed', 'new'] })).toEqual(['Mail-1', 'web-9'])
  expect(namesFor({ state: ['failed', 'new'], label: ['production'] })).toEqual(['Mail-1'])
  expect(namesFor({ kind: ['sandbox'] })).toEqual(['web-9'])
  expect(namesFor({ service: ['Second, service'] })).toEqual(['db-1'])
  expect(namesFor({ needsInstall: true })).toEqual(['Mail-1', 'web-9'])
  expect(countFacets(indexServers(some)).state).toEqual([
    { value: 'failed', count: 1 },
    { value: 'installing', count: 1 },
    { value: 'new', count: 1 },
    { value: 'ready', count: 1 },
  ])
})

test('a server that refuses the login or shows another host key has a separate state, and is unreachable too', () => {
  const down = { kind: 'unreachable', since: '', why: '', seenAt: null } as const
  const refused = server('refused', { reach: { ...down, cause: 'login_failed' } })
  const other = server('other', { reach: { ...down, cause: 'host_key_changed' } })
  const off = server('off', { reach: down })
  const fresh = server('fresh', { state: 'new', reach: { ...down, cause: 'login_failed' } })
  const all = [refused, other, off, fresh]
  expect(all.map((one) => chipOf(one).label)).toEqual(['Login refused', 'Host key changed', 'Unreachable', 'Not installed'])
  // Each has another sign, so that nobody needs the colour.
  expect(new Set([refused, other, off].map((one) => chipOf(one).icon)).size).toBe(3)
  const shown = (state: string) => filterServers(indexServers(all), { ...wholeList, state: [state] }).map(({ name }) => name)
  expect(shown('unreachable')).toEqual(['refused', 'other', 'off'])
  expect(shown('login_failed')).toEqual(['refused'])
})

test('servers are sorted and filtered by their figures, and those without come last', () => {
  const lines = vitalsById([
    ['id-web-10', 92, 40, 9, 3, 12, null, 0.5],
    ['id-web-9', 8, 76, 20, 0, 2, 28_000_000, 12.25],
    ['id-db-1', 80, null, null, 0, 0, 29_000_000, null],
  ])
  const figures = withVitals(some, lines)
  const show = (query: Partial<ListQuery>) => {
    const wanted = { ...wholeList, ...query }
    return filterServers(orderServers(indexServers(figures), wanted.column, wanted.descending), wanted).map(({ name }) => name)
  }
  expect(show({ column: 'disk' })).toEqual(['web-9', 'db-1', 'web-10', 'Mail-1'])
  expect(show({ column: 'disk', descending: true })).toEqual(['web-10', 'db-1', 'web-9', 'Mail-1'])
  expect(show({ column: 'sites', descending: true }).slice(0, 2)).toEqual(['web-10', 'web-9'])
  expect(show({ column: 'backup', descending: true }).slice(0, 2)).toEqual(['db-1', 'web-9'])
  expect(show({ column: 'load', descending: true }).slice(0, 2)).toEqual(['web-9', 'web-10'])
  expect(show({ disk: ['75'] })).toEqual(['db-1', 'web-10'])
  expect(show({ disk: ['90'] })).toEqual(['web-10'])
  expect([show({ updates: ['security'] }), show({ updates: ['any'] })]).toEqual([['web-10'], ['web-9', 'web-10']])
  // Three security updates sort before twenty others.
  expect(show({ column: 'updates', descending: true }).slice(0, 2)).toEqual(['web-10', 'web-9'])
  expect(figures.map(({ vitals }) => vitals && describeUpdates(vitals))).toEqual(['9 waiting, 3 security', '20 waiting', undefined, ''])
  const now = 29_000_000 * 60_000 + 3_600_000
  expect(figures.map(({ vitals }) => backupAgeOf(vitals, now))).toEqual([['none'], ['older'], [], ['night']])
})

test('sorting by a figure reads only that figure, by position in the list', () => {
  expect(figuresFor(['name', 'state'])).toEqual([])
  expect(figuresFor(['disk', 'updates', 'disk'])).toEqual(['disk', 'updates', 'security'])
  const { byId } = placeFigures(some, { columns: { disk: [92, 8, -1, null] } })
  // The third may not be read: it has no figures, while those of the last are only unknown.
  expect([...byId]).toEqual([
    ['id-web-10', { disk: 92 }],
    ['id-web-9', { disk: 8 }],
    ['id-db-1', { disk: null }],
  ])
})

test('figures of the rows on screen are read once scrolling pauses, and stay known for rows that were on screen', () => {
  vi.useFakeTimers()
  const screen = createScreen([server('rendered', { vitals: { disk: 8 } })])
  expect(screen.find('id-rendered')?.vitals.disk).toBe(8)
  let reads = 0
  screen.onIds(() => {
    reads += 1
  })
  const leave = ['b', 'a', 'a'].map((id) => screen.show(id))
  expect(screen.ids()).toEqual([])
  vi.advanceTimersByTime(200)
  expect([screen.ids(), reads]).toEqual([['a', 'b'], 1])
  screen.add({ vitals: [['a', 40, null, 0, 0, 2, null, null]], days: ['u'], from: 60 })
  for (const undo of leave) undo()
  screen.show('c')
  vi.advanceTimersByTime(200)
  expect([screen.ids(), screen.find('a')?.vitals.disk, screen.find('c')]).toEqual([['c'], 40, undefined])
  vi.useRealTimers()
})

test('names sort numerically in both directions, and empty values come last', () => {
  expect(namesFor({})).toEqual(['db-1', 'Mail-1', 'web-9', 'web-10'])
  expect(namesFor({ descending: true })).toEqual(['web-10', 'web-9', 'Mail-1', 'db-1'])
  expect(namesFor({ column: 'dns' })).toEqual(['web-9', 'db-1', 'Mail-1', 'web-10'])
  expect(namesFor({ column: 'dns', descending: true })).toEqual(['web-9', 'db-1', 'Mail-1', 'web-10'])
  expect(namesFor({ column: 'labels' })).toEqual(['web-10', 'Mail-1', 'db-1', 'web-9'])
  expect(namesFor({ column: 'state' })).toEqual(['web-9', 'db-1', 'Mail-1', 'web-10'])
})

test('saved views are listed by name, and one of the same name is replaced', () => {
  const known = [{ name: 'b', query: 'q=1' }]
  const both = withView(known, { name: 'a', query: '' })
  expect(both.map(({ name }) => name)).toEqual(['a', 'b'])
  expect(withView(both, { name: 'b', query: 'q=2' })).toEqual([
    { name: 'a', query: '' },
    { name: 'b', query: 'q=2' },
  ])
})

test('a range goes from the last touched row to this one, in either direction', () => {
  expect(rangeOf(some, 'id-web-9', 'id-db-1')).toEqual(['id-web-9', 'id-Mail-1', 'id-db-1'])
  expect(rangeOf(some, 'id-db-1', 'id-web-9')).toEqual(['id-web-9', 'id-Mail-1', 'id-db-1'])
  expect(rangeOf(some, 'hidden by now', 'id-web-9')).toEqual(['id-web-9'])
})

test('the CSV file has a header, one line per server in order, and labels in one cell', () => {
  const rows = readCsv(renderCsv(serverCsv, some))
  expect(rows.map(([name]) => name)).toEqual(['Name', 'web-10', 'web-9', 'Mail-1', 'db-1'])
  expect(rows[1]).toEqual([
    'web-10',
    'Reachable',
    'web-10.example',
    '198.51.100.7',
    ...['', '', '', '', '', '', ''],
    '',
    'Own server',
    'Bundled service',
    'client: northwind, production',
    'id-web-10',
  ])
})
