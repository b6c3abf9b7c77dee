import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nextRuns } from '@/lib/crontab/next-runs'
import { parseSchedule, timesRefusals } from '@/lib/crontab/schedule'
import type { Times } from '@/lib/crontab/times'

function timesOf(text: string): Times {
  const [minute = '', hour = '', dom = '', mon = '', dow = ''] = text.split(' ')
  return { minute, hour, dom, mon, dow }
}

const sorted = (set: ReadonlySet<number> | undefined) => [...(set ?? [])].sort((a, b) => a - b)

test('lists, ranges, steps and names are understood as cron does', () => {
  const schedule = parseSchedule(timesOf('*/20,7 1-5/2 1,15 Jan-mar fri-sun'))
  expect(sorted(schedule?.minute)).toEqual([0, 7, 20, 40])
  expect(sorted(schedule?.hour)).toEqual([1, 3, 5])
  expect(sorted(schedule?.dom)).toEqual([1, 15])
  expect(sorted(schedule?.mon)).toEqual([1, 2, 3])
  expect(sorted(schedule?.dow)).toEqual([0, 5, 6])
  expect(sorted(parseSchedule(timesOf('0 0 * * sun-tue'))?.dow)).toEqual([0, 1, 2])
  expect(sorted(parseSchedule(timesOf('0 0 * * 7'))?.dow)).toEqual([0])
})

test('of 0~30 cron takes the first number, as Debian’s has no random times; without one it refuses the field', () => {
  const schedule = parseSchedule(timesOf('0~30 1-5~9 1,2~9,20 jan~mar *~'))
  expect([schedule?.minute, schedule?.hour, schedule?.dom, schedule?.mon].map(sorted)).toEqual([[0], [1, 2, 3, 4, 5], [1, 2], [1]])
  expect(sorted(schedule?.dow)).toEqual([0, 1, 2, 3, 4, 5, 6])
  expect(Object.keys(timesRefusals(timesOf('~ ~5 1,~ x~ 9~1')))).toEqual(['minute', 'hour', 'dom', 'mon', 'dow'])
})

test.each([
  ['60 * * * *', ['minute']],
  ['* 24 0 13 8', ['hour', 'dom', 'mon', 'dow']],
  ['5/10 */0 9-3 1- ,1', ['minute', 'hour', 'dom', 'mon', 'dow']],
  ['mon * * mond jan', ['minute', 'mon', 'dow']],
  ['@never', ['minute']],
  ['@daily', []],
  ['@reboot', []],
  ['', ['minute', 'hour', 'dom', 'mon', 'dow']],
])('%s is refused by its fields %j', (text, names) => {
  const refusals = timesRefusals(timesOf(text))
  expect(Object.keys(refusals)).toEqual(names)
  for (const why of Object.values(refusals)) expect(why).toMatch(/^Enter .+\.$/)
})

function runs(text: string, zone: string, after: string, count = 5): string[] {
  const schedule = parseSchedule(timesOf(text))
  if (!schedule) throw new Error('not understood')
  return nextRuns(schedule, zone, Date.parse(after), count).map((moment) => new Date(moment).toISOString().slice(0, 16))
}

test('the next runs are computed by the clock of the zone', () => {
  expect(runs('30 4 * * *', 'Asia/Kolkata', '2026-11-21T23:00Z', 2)).toEqual(['2026-11-22T23:00', '2026-11-23T23:00'])
  expect(runs('30 4 * * *', 'UTC', '2026-11-21T04:30Z', 1)).toEqual(['2026-11-22T04:30'])
  expect(runs('@weekly', 'UTC', '2026-11-21T18:00Z', 2)).toEqual(['2026-11-22T00:00', '2026-11-29T00:00'])
  expect(runs('0 0 29 2 *', 'UTC', '2026-01-01T00:00Z', 2)).toEqual(['2028-02-29T00:00', '2032-02-29T00:00'])
  expect(runs('0 0 31 2 *', 'UTC', '2026-01-01T00:00Z')).toEqual([])
  expect(parseSchedule(timesOf('@reboot'))).toBeNull()
})

test('if both day fields are set, a day that matches one suffices; if one begins with a star, both have to match', () => {
  expect(runs('0 0 13 * fri', 'UTC', '2026-11-01T00:00Z', 4).map((time) => time.slice(8, 10))).toEqual(['06', '13', '20', '27'])
  expect(runs('0 0 */2 * fri', 'UTC', '2026-11-01T00:00Z', 3).map((time) => time.slice(5, 10))).toEqual(['11-13', '11-27', '12-11'])
})

test('when clocks go forward a fixed time in the gap runs at its end, an open one does not; when they go back, a fixed time runs once', () => {
  const spring = '2026-03-29T00:00Z'
  expect(runs('30 2 * * *', 'Europe/Berlin', spring, 2)).toEqual(['2026-03-29T01:00', '2026-03-30T00:30'])
  expect(runs('30 * * * *', 'Europe/Berlin', spring, 2)).toEqual(['2026-03-29T00:30', '2026-03-29T01:30'])
  const autumn = '2026-10-24T23:00Z'
  expect(runs('30 2 * * *', 'Europe/Berlin', autumn, 2)).toEqual(['2026-10-25T00:30', '2026-10-26T01:30'])
  expect(runs('30 * * * *', 'Europe/Berlin', autumn, 4)).toEqual([
    '2026-10-24T23:30',
    '2026-10-25T00:30',
    '2026-10-25T01:30',
    '2026-10-25T02:30',
  ])
})

test('the result equals that of testing every minute', () => {
  const number = (low: number, high: number) => fc.integer({ min: low, max: high }).map(String)
  const part = (low: number, high: number) =>
    fc.oneof(
      fc.constant('*'),
      number(low, high),
      fc.tuple(number(low, high), number(low, high)).map(([a, b]) => `${a},${b}`),
      fc.constant('*/7'),
    )
  const times = fc.record({ minute: part(0, 59), hour: part(0, 23), dom: part(1, 28), mon: fc.constant('*'), dow: part(0, 7) })
  const start = Date.parse('2026-02-27T23:17Z')
  const check = fc.property(times, (one) => {
    const schedule = parseSchedule(one)
    if (!schedule) throw new Error('not understood')
    const found: number[] = []
    for (let at = start - (start % 60_000) + 60_000; found.length < 3 && at < start + 40 * 86_400_000; at += 60_000) {
      const date = new Date(at)
      const [byDate, byWeekday] = [schedule.dom.has(date.getUTCDate()), schedule.dow.has(date.getUTCDay())]
      const day = one.dom.startsWith('*') || one.dow.startsWith('*') ? byDate && byWeekday : byDate || byWeekday
      if (schedule.minute.has(date.getUTCMinutes()) && schedule.hour.has(date.getUTCHours()) && day) found.push(at)
    }
    expect(nextRuns(schedule, 'UTC', start, found.length)).toEqual(found)
  })
  fc.assert(check, { numRuns: 60 })
})
