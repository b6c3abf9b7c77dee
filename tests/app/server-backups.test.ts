import { expect, test } from 'vitest'
import { type Backup, isLate, isPartial, madeAt, newestFirst, newestGood, titlesOf } from '@/app/(portal)/servers/[serverId]/backups/backup'

const backup = (name: string, more: Partial<Backup> = {}): Backup => ({ name, size: '1', ...more })

test('when a backup was made is what the service says, else what its name does', () => {
  expect(madeAt(backup('x', { created_at: '2026-11-20T02:30:00.000Z' }))).toBe('2026-11-20T02:30:00.000Z')
  expect(madeAt(backup('backup-2026-11-20-023005.tar.gz'))).toBe('2026-11-20T02:30:05.000Z')
  expect(madeAt(backup('server-2026-11-20.tar.zst'))).toBe('2026-11-20T00:00:00.000Z')
  expect(madeAt(backup('db_20261120_0230.sql'))).toBe('2026-11-20T00:00:00.000Z')
  for (const name of ['before the move.tar', 'site-12026-11-203.tar', '2026-19-39.tar'])
    expect(madeAt(backup(name, { created_at: 'soon' }))).toBeNull()
})

test('a backup of a server is titled by its time', () => {
  const now = Date.parse('2026-11-20T12:00:00Z')
  const [own, other] = [false, true].map((foreign) => titlesOf({ timeZone: 'UTC', now, foreign }))
  expect(own?.(backup('backup-20261120-021400.tar.gz', { created_at: '2026-11-20T02:14:00.000Z' }))).toBe('Today 02:14, nightly')
  expect(own?.(backup('by hand.tar', { created_at: '2026-11-20T02:14:00.000Z' }))).toBe('Today 02:14, by hand.tar')
  expect(other?.(backup('x', { created_at: '2026-11-20T02:14:00.000Z' }))).toBe('Today 02:14')
  expect(other?.(backup('backup-2026-11-20-023005.tar.gz'))).toBe('20 Nov 2026 02:30')
  expect(other?.(backup('by hand.tar'))).toBe('by hand.tar')
})

test('the newest good backup is the newest verified one; without verification it is the newest', () => {
  const files = [backup('a-2026-11-18'), backup('a-2026-11-20'), backup('by hand'), backup('a-2026-11-19')]
  expect(newestFirst(files).map(({ name }) => name)).toEqual(['a-2026-11-20', 'a-2026-11-19', 'a-2026-11-18', 'by hand'])
  expect(newestGood(files)?.name).toBe('a-2026-11-20')
  const told = files.map((file) => ({ ...file, proven: file.name === 'a-2026-11-19' }))
  expect(newestGood(told)?.name).toBe('a-2026-11-19')
  expect(newestGood(told.filter(({ proven }) => !proven))).toBeNull()
})

test('a missed backup is noticed half a day later', () => {
  const files = [
    backup('x', { created_at: '2026-11-20T02:30:00Z', proven: true }),
    backup('y', { created_at: '2026-11-21T12:00:00Z', proven: false }),
  ]
  expect(isLate(files, Date.parse('2026-11-21T14:30:00Z'))).toBe(false)
  expect(isLate(files, Date.parse('2026-11-21T14:30:01Z'))).toBe(true)
  expect(isLate([backup('by hand')], Date.now())).toBe(false)
})

test('a partial backup is not a good one, however new it is; folders that are left out do not make it partial', () => {
  const whole = backup('a-2026-11-19', { proven: true, missing: [], left_out: ['/srv/media'] })
  const partial = backup('a-2026-11-20', { proven: true, missing: [{ name: 'shop', reason: 'broken' }] })
  expect([whole, partial, backup('by hand')].map(isPartial)).toEqual([false, true, false])
  expect(newestGood([whole, partial])?.name).toBe('a-2026-11-19')
})
