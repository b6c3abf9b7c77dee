import { expect, test } from 'vitest'
import { type Backup, newestGood } from '@/app/(portal)/sites/[siteId]/backups/backup'
import { arrangeByDay, type BackupRow, backupCollection, backupRows, idsOfRow } from '@/app/(portal)/sites/[siteId]/backups/backup-rows'
import { describeLink } from '@/app/(portal)/sites/[siteId]/backups/download'

const now = Date.parse('2026-11-25T12:00:00Z')
const backup = (name: string, more: Partial<Backup> = {}): Backup => ({ name, size: 1, date: '', ...more })
const rowsOf = (items: readonly Backup[], timeZone = 'UTC') => backupRows(items, { timeZone, now })
const shown = (rows: readonly BackupRow[]) => arrangeByDay(rows).map((row) => (row.kind === 'day' ? `# ${row.day}` : row.id))

test('backups are listed by day, the newest first, in the time zone of the user', () => {
  const items = [
    backup('evening', { created_at: '2026-11-24T22:30:00Z' }),
    backup('morning', { created_at: '2026-11-24T06:00:00Z' }),
    backup('today', { created_at: '2026-11-25T06:00:00Z' }),
  ]
  expect(shown(rowsOf(items))).toEqual(['# 25 Nov 2026', 'today', '# 24 Nov 2026', 'evening', 'morning'])
  expect(shown(rowsOf(items, 'Europe/Berlin'))).toEqual(['# 25 Nov 2026', 'today', '# 24 Nov 2026', 'evening', 'morning'])
  expect(shown(rowsOf(items, 'Asia/Tokyo'))).toEqual(['# 25 Nov 2026', 'today', 'evening', '# 24 Nov 2026', 'morning'])
})

test('a service without time zones: its dates are read as written, the year is the newest possible, and no age is claimed', () => {
  const rows = rowsOf([
    backup('a', { date: 'Dec 24 10:17' }),
    backup('b', { date: 'Nov 21 10:17' }),
    backup('c', { date: '2026-11-22 08:00:00' }),
    backup('backup-2026-11-20-021107.tar.gz'),
    backup('d', { date: 'yesterday' }),
  ])
  expect(shown(rows)).toEqual([
    '# 22 Nov 2026',
    'c',
    '# 21 Nov 2026',
    'b',
    '# 20 Nov 2026',
    'backup-2026-11-20-021107.tar.gz',
    '# 24 Dec 2025',
    'a',
    '# ',
    'd',
  ])
  expect(rows.map((row) => (row.kind === 'backup' ? row.made.at : ''))).toEqual([null, null, null, null, null])
})

test('a backup is titled by time and reason, and by its file only without a time', () => {
  const rows = rowsOf([
    backup('a', { created_at: '2026-11-25T02:14:00Z', reason: 'nightly' }),
    backup('b', { created_at: '2026-11-24T09:30:00Z', reason: 'restore' }),
    backup('c', { created_at: '2026-11-21T09:30:00Z' }),
    backup('d', { date: 'Nov 20 10:17' }),
    backup('e.tar', { date: 'soon' }),
  ])
  expect(rows.map(backupCollection.nameOf)).toEqual([
    'Today 02:14, nightly',
    'Yesterday 09:30, before a restore',
    '21 Nov 09:30',
    '20 Nov 2026 10:17',
    'e.tar',
  ])
})

test('a row of a day stands for its backups, and a name that is listed twice for one', () => {
  const rows = rowsOf([backup('a', { date: 'Nov 21 10:17' }), backup('a', { date: 'Nov 21 10:17' }), backup('b', { date: 'Nov 21 09:00' })])
  expect(arrangeByDay(rows).map(idsOfRow)).toEqual([['a', 'b'], ['a'], ['b']])
})

test('the newest good backup is the newest verified one; without verification it is the newest', () => {
  expect(newestGood([backup('a', { proven: false }), backup('b', { proven: true })])?.name).toBe('b')
  expect(newestGood([backup('a', { proven: false })])).toBeNull()
  expect(newestGood([backup('a'), backup('b')])?.name).toBe('a')
})

test.each([
  [{ elsewhere: true, login: false }, 'The archive is at files.example.net, from where Gatehouse does not fetch it. Your browser does.'],
  [
    { elsewhere: false, login: true },
    'The link contains a login, so Gatehouse does not fetch it. Your browser fetches it and sends the login to files.example.net.',
  ],
  [
    { elsewhere: true, login: true },
    'The archive is at files.example.net, from where Gatehouse does not fetch it. Your browser does and sends the login in the link.',
  ],
])('why a link is opened by the browser is said as it is: %j', (why, sentence) => {
  expect(describeLink({ link: 'https://name:word@files.example.net/a.tar', ...why })).toBe(sentence)
})
