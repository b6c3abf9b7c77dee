import { expect, test } from 'vitest'
import { firstRows, formatMark, formatNight, formatNothing, formatUnknown, ticksOf } from '@/app/(portal)/(home)/night'
import type { NightKind, NightMark } from '@/lib/portal/views/home/night'

const zone = 'Europe/Berlin'
const night = { from: '2026-11-26T19:00:00.000Z', to: '2026-11-27T07:00:00.000Z' }

function mark(kind: NightKind, minute: number, more: Partial<NightMark> = {}): NightMark {
  const at = new Date(Date.parse(night.from) + minute * 60_000).toISOString()
  return { key: `${kind} ${minute}`, kind, at, until: at, count: 1, title: 'Nightly backup of web-1', names: '', href: '/jobs/1', ...more }
}

test('a mark is read with its time in the reader’s zone, and with names if it stands for several', () => {
  expect(formatMark(mark('backup', 374), zone)).toBe('02:14: Nightly backup of web-1')
  const several = { title: '2 nightly backups', names: 'a and b', until: '2026-11-27T01:25:00.000Z' }
  expect(formatMark(mark('backup', 374, several), zone)).toBe('02:14 to 02:25: 2 nightly backups (a and b)')
})

test('the night is named with its day, hours and zone, and has a tick every two hours', () => {
  expect(formatNight(night, zone)).toBe('Thu 26 Nov, 20:00 to 08:00, Europe/Berlin')
  expect(ticksOf(night, zone).map(({ label }) => label)).toEqual(['20:00', '22:00', '00:00', '02:00', '04:00', '06:00', '08:00'])
  expect(ticksOf(night, zone).map(({ at }) => at)[3]).toBe(0.5)
})

test('without marks the page tells a quiet night from one before the first server', () => {
  expect(formatNothing({ ...night, since: '2026-11-01T00:00:00.000Z' })).toMatch(/^A quiet night/)
  expect(formatNothing({ ...night, since: null })).toMatch(/^A quiet night/)
  expect(formatNothing({ ...night, since: '2026-11-26T19:00:01.000Z' })).toMatch(/^Nothing is known of last night yet/)
})

test('servers that cannot be asked are named as unknown', () => {
  expect([formatUnknown(0), formatUnknown(1), formatUnknown(2)]).toEqual([
    '',
    'What 1 server did is not known yet: it cannot be reached now.',
    'What 2 servers did is not known yet: they cannot be reached now.',
  ])
})

test('the list begins with all that went wrong and at most ten lines otherwise, in order of time', () => {
  const marks = Array.from({ length: 30 }, (_, place) => mark(place % 6 === 5 ? 'failure' : 'backup', place * 15))
  const shown = firstRows(marks)
  expect(shown).toHaveLength(10)
  expect(shown.filter(({ kind }) => kind === 'failure')).toHaveLength(5)
  expect(shown.map(({ at }) => at)).toEqual(shown.map(({ at }) => at).toSorted())
  expect(firstRows(marks.map((one) => ({ ...one, kind: 'outage' })))).toHaveLength(30)
})
