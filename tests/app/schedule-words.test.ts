import { expect, test } from 'vitest'
import { formatWhen, formatZone, runsOf } from '@/app/(portal)/servers/[serverId]/cron/jobs'

function timesOf(text: string) {
  const [minute = '', hour = '', dom = '', mon = '', dow = ''] = text.split(' ')
  return { minute, hour, dom, mon, dow }
}

test.each([
  ['*/5 * * * *', 'Every 5 minutes'],
  ['30 4 * * *', 'Every day at 04:30'],
  ['@daily', 'Every day at 00:00'],
  ['0 9 * * 1-5', 'At 09:00, Monday through Friday'],
  ['5 * * * *', 'At 5 minutes past the hour'],
  ['@reboot', 'When the server starts'],
  ['5~59 * * * *', 'At 5 minutes past the hour'],
  ['~59 * * * *', '~59 * * * *'],
  ['@never', '@never'],
])('%s is said as “%s”', (text, sentence) => {
  expect(formatWhen(timesOf(text)).sentence).toBe(sentence)
})

test('a schedule with both day fields says which days that means', () => {
  expect(formatWhen(timesOf('0 0 13 * 5')).note).toMatch(/either of them/)
  expect(formatWhen(timesOf('0 0 */2 * 5')).note).toMatch(/match both/)
  expect(formatWhen(timesOf('0 0 13 * *')).note).toBe('')
  expect(formatWhen(timesOf('*/5 * * * *')).note).toBe('')
})

test('a random time, which Debian’s cron does not know, is said to be the first number', () => {
  expect(formatWhen(timesOf('0~30 4 * * *')).note).toBe('Debian’s cron has no random times: it takes 0 for 0~30.')
})

test('in the hour that occurs twice when clocks go back the offset says which one is meant', () => {
  const { schedule } = formatWhen(timesOf('30 * * * *'))
  if (!schedule) throw new Error('not understood')
  const runs = runsOf(schedule, 'Europe/Berlin', Date.parse('2026-10-24T23:00Z'), 4)
  expect(runs.map((run) => run.slice(-13))).toEqual(
    [', 01:30', '02:30 (UTC+2)', '02:30 (UTC+1)', ', 03:30'].map((end) => expect.stringContaining(end)),
  )
  expect(runs[0]).not.toMatch(/UTC/)
  expect(runs[3]).not.toMatch(/UTC/)
})

test('the next runs are shown by the server’s clock, with the year if it differs', () => {
  const { schedule } = formatWhen(timesOf('30 4 1 1 *'))
  if (!schedule) throw new Error('not understood')
  const now = Date.parse('2026-11-21T18:00Z')
  // Releases of Node differ in the comma behind the weekday.
  const runs = (zone: string, count: number) => runsOf(schedule, zone, now, count).map((run) => run.replace(/^(\w+),/, '$1'))
  expect(runs('Asia/Kolkata', 2)).toEqual(['Fri 1 Jan, 04:30 (2027)', 'Sat 1 Jan, 04:30 (2028)'])
  expect(runs('Not/AZone', 1)).toEqual(['Fri 1 Jan, 04:30 (2027)'])
  expect([formatZone('Asia/Kolkata'), formatZone('Not/AZone'), formatZone('')]).toEqual([
    'Asia/Kolkata',
    'the server’s own clock',
    'the server’s own clock',
  ])
})
