/** Which tables a pull or push takes, and which have to be chosen together. */
import { expect, test } from 'vitest'
import {
  bytesOfTables,
  type CopiedTable,
  chooseTable,
  findUnfit,
  groupTables,
  namedTables,
  reportedTables,
  usualTables,
} from '@/app/(portal)/sites/[siteId]/app/copied-tables'

const table = (name: string, more: Partial<CopiedTable> = {}): CopiedTable => ({
  name,
  bytes: 1024,
  rows: 10,
  pulled: true,
  changed: false,
  partners: [],
  related: [],
  contents: '',
  ...more,
})

const shop = [
  table('options'),
  table('posts', { partners: ['postmeta'] }),
  table('postmeta', { partners: ['posts'] }),
  table('orders', { contents: 'Orders', partners: ['items'] }),
  table('items', { partners: ['orders'] }),
  table('report', { partners: ['orders'] }),
  table('fresh', { pulled: false }),
]
const groups = groupTables(shop)
const sorted = (names: ReadonlySet<string>) => [...names].sort()

test('a push leaves out what belongs to live or is not on staging, and what needs it; a pull takes everything', () => {
  expect(sorted(usualTables(shop, groups, 'push'))).toEqual(['options', 'postmeta', 'posts'])
  expect(usualTables(shop, groups, 'pull').size).toBe(shop.length)
})

test('partners are chosen and left out together, also through others', () => {
  const none: ReadonlySet<string> = new Set()
  const chosen = chooseTable(groups, none, 'report', true)
  expect(sorted(chosen)).toEqual(['items', 'orders', 'report'])
  expect(sorted(chooseTable(groups, chosen, 'report', false))).toEqual(['items', 'orders'])
  expect(sorted(chooseTable(groups, chosen, 'items', false))).toEqual([])
  expect(sorted(chooseTable(groups, chooseTable(groups, chosen, 'options', true), 'orders', false))).toEqual(['options'])
})

test('related tables are chosen together, and one of them alone is named with what it lacks', () => {
  const blog = [
    table('posts', { related: ['postmeta', 'comments'] }),
    table('postmeta', { related: ['posts', 'comments'] }),
    table('comments', { related: ['posts', 'postmeta'], contents: 'comments' }),
    table('options'),
  ]
  const together = groupTables(blog)
  expect(sorted(usualTables(blog, together, 'push'))).toEqual(['options'])
  const chosen = chooseTable(together, new Set(), 'posts', true)
  expect(sorted(chosen)).toEqual(['comments', 'postmeta', 'posts'])
  expect(findUnfit(blog, chosen)).toEqual([])
  const alone = chooseTable(together, chosen, 'comments', false)
  expect(sorted(alone)).toEqual(['postmeta', 'posts'])
  expect(findUnfit(blog, alone)).toEqual([
    { name: 'posts', missing: ['comments'] },
    { name: 'postmeta', missing: ['comments'] },
  ])
})

test('partners in a circle, and ones that are not listed, lead nowhere else', () => {
  const odd = [table('a', { partners: ['b', 'gone'] }), table('b', { partners: ['c'] }), table('c', { partners: ['a'] })]
  expect(sorted(groupTables(odd).needed.get('a') ?? new Set())).toEqual(['a', 'b', 'c'])
})

test('of tables that only have names nothing is claimed, and a push chooses none', () => {
  const named = namedTables(['wp_posts', 'wp_posts', 'wp_options'])
  expect(named.map(({ name, bytes, pulled }) => [name, bytes, pulled])).toEqual([
    ['wp_posts', null, null],
    ['wp_options', null, null],
  ])
  expect(usualTables(named, groupTables(named), 'push').size).toBe(0)
  expect([bytesOfTables(named), bytesOfTables(shop)]).toEqual([null, 7 * 1024])
})

test('a table that is reported twice is one, and sizes that are missing are not known', () => {
  const reported = { name: 'a', pulled: true, changed: true, partners: [], related: [], private: 'Comments' }
  const tables = reportedTables({
    domain: 'staging.a.example',
    exists: true,
    user: 'staging',
    pulled: '',
    mixed: false,
    tables: [reported, reported],
  })
  expect(tables).toEqual([table('a', { bytes: null, rows: null, changed: true, contents: 'Comments' })])
})
