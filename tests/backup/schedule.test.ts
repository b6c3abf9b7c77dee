/** When backups are due and late, which archives are deleted, and what the settings may be. */
import { expect, test } from 'vitest'
import { findExpired, formatArchiveName, listArchives, parseArchiveName } from '@/lib/backup/scheduled/archive-name'
import { findNext, isDue, lateAfterMs } from '@/lib/backup/scheduled/schedule'

const at = (text: string) => new Date(`${text}:00.000Z`)
const daily = { atHour: 3 }

test('a daily backup is due at its hour, once, and at once after a start that came too late', () => {
  expect(findNext(daily, at('2026-11-27T02:59'))).toEqual(at('2026-11-27T03:00'))
  expect(findNext(daily, at('2026-11-27T03:00'))).toEqual(at('2026-11-28T03:00'))
  const last = { attemptedAt: at('2026-11-27T03:00'), failed: false }
  expect(isDue(daily, null, at('2026-11-27T14:00'))).toBe(true)
  expect(isDue(daily, last, at('2026-11-28T02:59'))).toBe(false)
  expect(isDue(daily, last, at('2026-11-28T03:00'))).toBe(true)
  expect(isDue(daily, last, at('2026-12-04T17:20'))).toBe(true)
})

test('every few hours counts from the newest attempt', () => {
  const last = { attemptedAt: at('2026-11-27T22:30'), failed: false }
  expect(isDue({ everyHours: 6 }, last, at('2026-11-28T04:29'))).toBe(false)
  expect(isDue({ everyHours: 6 }, last, at('2026-11-28T04:30'))).toBe(true)
})

test('a failed backup is tried again after an hour, or at the next time of the schedule if that is sooner', () => {
  const failed = { attemptedAt: at('2026-11-27T02:30'), failed: true }
  expect(isDue(daily, failed, at('2026-11-27T02:59'))).toBe(false)
  expect(isDue(daily, failed, at('2026-11-27T03:00'))).toBe(true)
  const later = { attemptedAt: at('2026-11-27T03:00'), failed: true }
  expect(isDue(daily, later, at('2026-11-27T03:59'))).toBe(false)
  expect(isDue(daily, later, at('2026-11-27T04:00'))).toBe(true)
})

test('after a clock that was ahead for a year is set back, backups go on at once', () => {
  const ahead = { attemptedAt: at('2027-11-27T03:00'), failed: false }
  expect(isDue(daily, ahead, at('2026-11-27T09:00'))).toBe(true)
  const corrected = { attemptedAt: at('2026-11-27T03:00'), failed: false }
  expect(isDue(daily, corrected, new Date(at('2026-11-27T03:00').getTime() - 20_000))).toBe(false)
})

test('a backup is late half an interval after its time, and an hour after it at least', () => {
  expect([daily, { everyHours: 1 }, { everyHours: 12 }].map((schedule) => lateAfterMs(schedule) / 3_600_000)).toEqual([36, 2, 18])
})

const nameOf = (text: string, half: 'portal' | 'service' = 'portal') => formatArchiveName(half, at(text), 'age')

test('the name of an archive has its half and time, and nothing else is taken for one', () => {
  const name = nameOf('2026-11-27T03:00')
  expect(name).toBe('gatehouse-portal-2026-11-27T03-00-00Z.tar.gz.age')
  expect(parseArchiveName(name)).toEqual({ name, half: 'portal', at: at('2026-11-27T03:00'), program: 'age' })
  const others = [`.${name}.unfinished`, `${name}.old`, name.replace('portal', 'other'), name.replace('11-27', '13-77'), 'notes.txt']
  expect(others.map(parseArchiveName)).toEqual([null, null, null, null, null])
  expect(
    listArchives(['notes.txt', nameOf('2026-11-26T03:00'), name, nameOf('2026-11-28T03:00', 'service')], 'portal').map((each) => each.name),
  ).toEqual([name, nameOf('2026-11-26T03:00')])
})

test('only archives of the half that are neither among the newest nor young are deleted', () => {
  const days = Array.from({ length: 20 }, (_, day) => `2026-11-${String(day + 1).padStart(2, '0')}T03:00`)
  const names = [...days.map((day) => nameOf(day)), ...days.map((day) => nameOf(day, 'service')), 'notes.txt']
  const made = nameOf('2026-11-20T03:00')
  const find = (keep: { count: number; days: number }, now = at('2026-11-20T03:00')) =>
    findExpired(names, { half: 'portal', made, keep, now })
  expect(find({ count: 3, days: 0 })).toHaveLength(17)
  expect(find({ count: 3, days: 10 })).toEqual(
    days
      .slice(0, 9)
      .reverse()
      .map((day) => nameOf(day)),
  )
  expect(find({ count: 100, days: 0 })).toEqual([])
})

test('a clock that jumps years ahead deletes none of the newest, and one that was set back not the one just made', () => {
  const names = ['2026-11-25T03:00', '2026-11-26T03:00', '2036-01-01T03:00'].map((day) => nameOf(day))
  const ahead = { half: 'portal', made: nameOf('2036-01-01T03:00'), keep: { count: 3, days: 1 }, now: at('2036-01-01T03:00') } as const
  expect(findExpired(names, ahead)).toEqual([])
  const back = { half: 'portal', made: nameOf('2026-11-25T03:00'), keep: { count: 1, days: 0 }, now: at('2026-11-27T03:00') } as const
  expect(findExpired(names, back)).toEqual([nameOf('2026-11-26T03:00')])
})
