import { expect, test } from 'vitest'
import { readRange } from '@/lib/service/byte-range'
import { formatBackupDate, isSiteBackupName, parseLastBackups, parseSiteBackups } from '@/lib/service/machines/site-backups'

const at = Date.parse('2026-11-21T10:17:07Z') / 1000
const name = 'one.example.org-20261121-101707-nightly.tar.zst'

test('backups are read from what the host prints, and lines that cannot be read are skipped', () => {
  const lines = [
    `${name}\t12\t${at}\tnightly\tproven`,
    `${name}\tmany\t${at}\tnightly\tproven`,
    `../${name}\t12\t${at}\tnightly\t`,
    'x',
    '',
  ]
  expect(parseSiteBackups(lines.join('\n'))).toEqual([{ name, bytes: 12, madeAt: at, proven: true, reason: 'nightly', aliases: [] }])
  expect(parseSiteBackups(`${name}\t12\t${at}\tnightly\t\ta.example b.example`)).toMatchObject([
    { proven: false, aliases: ['a.example', 'b.example'] },
  ])
})

test('a name of a backup is what a host gives, and neither a path nor an option', () => {
  for (const good of [name, 'xn--w-uga1v8h.example.org-20261121-101707-delete.tar.gz']) expect(isSiteBackupName(good)).toBe(true)
  const bad = [
    '',
    '-x-20261121-101707-nightly.tar.gz',
    `a/${name}`,
    `.${name}`,
    `${name}\n`,
    name.replace('nightly', 'other'),
    `${name}.part`,
  ]
  for (const each of bad) expect({ each, good: isSiteBackupName(each) }).toEqual({ each, good: false })
})

test('last backups of deleted sites are read the newest first, with whose they were, as far as the archive says', () => {
  const last = (domain: string) => `${domain}-20261121-101707-delete.tar.zst`
  const lines = [
    `${last('one-two.example.org')}\t12\t${at}\tdelete\tproven\twww.example\t2\tsite-1\tabc`,
    `${last('old.example.org')}\t7\t${at + 1}\tdelete\t\t\t\t\t`,
    `${name}\t12\t${at}\tnightly\tproven\t2\tsite-1\tabc`,
    `../${last('x')}\t12\t${at}\tdelete\tproven\t2\tsite-1\tabc`,
  ]
  expect(parseLastBackups(lines.join('\n'))).toMatchObject([
    { domain: 'old.example.org', bytes: 7, proven: false, format: null, siteId: '', owner: '', aliases: [] },
    { domain: 'one-two.example.org', bytes: 12, proven: true, format: 2, siteId: 'site-1', owner: 'abc', aliases: ['www.example'] },
  ])
})

test('dates are in UTC, as the interface has them', () => {
  expect(formatBackupDate(at)).toBe('Nov 21 10:17')
})

test.each([
  [null, null],
  ['bytes=0-', { from: 0, to: 100 }],
  ['bytes=10-19', { from: 10, to: 20 }],
  ['bytes=90-500', { from: 90, to: 100 }],
  ['bytes=-10', { from: 90, to: 100 }],
  ['bytes=-500', { from: 0, to: 100 }],
  ['bytes=100-', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=20-10', null],
  ['bytes=0-1,5-6', null],
  ['bytes=-', null],
  ['lines=0-1', null],
])('the range %j of 100 bytes is %j', (range, expected) => {
  expect(readRange(new Headers(range === null ? {} : { range }), 100, '"tag"')).toEqual(expected)
})

test('a range of another version of the archive is none', () => {
  expect(readRange(new Headers({ range: 'bytes=5-', 'if-range': '"other"' }), 100, '"tag"')).toBe(null)
  expect(readRange(new Headers({ range: 'bytes=5-', 'if-range': '"tag"' }), 100, '"tag"')).toEqual({ from: 5, to: 100 })
})
