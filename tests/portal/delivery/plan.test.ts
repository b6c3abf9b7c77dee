/** Quiet hours, waits and the grouping of events, at times that the tests choose. */
import { expect, test } from 'vitest'
import { localTime } from '@/lib/portal/base/local-time'
import { type Event, groupEvents, maxFailures, type Pending, planMessage, waitAfter } from '@/lib/portal/delivery/plan'
import { isQuiet, parseTimeOfDay } from '@/lib/portal/delivery/quiet'

const never = { kind: 'webhook', quietFrom: null, quietTo: null, timeZone: 'UTC' } as const
const at = (text: string) => new Date(`2026-11-26T${text}Z`)
const pending = (id: string, time: string, more: Partial<Pending> = {}): Pending => ({
  id,
  kind: 'key_frozen',
  subjectId: null,
  at: at(time),
  ...more,
})

test('events of one minute are one message, oldest first; fresh ones wait for others', () => {
  const events = [pending('b', '10:00:30'), pending('a', '10:00:00')]
  expect(planMessage(events, [], never, at('10:00:59'))).toEqual([])
  expect(planMessage(events, [], never, at('10:01:00'))).toEqual(['a', 'b'])
})

test('quiet hours hold everything back, also over midnight and in another time zone', () => {
  const quiet = { kind: 'webhook', quietFrom: 22 * 60, quietTo: 7 * 60, timeZone: 'America/New_York' } as const
  const events = [pending('a', '02:00:00')]
  // 22:00 to 07:00 in New York is 03:00 to 12:00 UTC in winter.
  expect(planMessage(events, [], quiet, at('02:59:00'))).toEqual(['a'])
  expect(planMessage(events, [], quiet, at('03:00:00'))).toEqual([])
  expect(planMessage(events, [], quiet, at('11:59:00'))).toEqual([])
  expect(planMessage(events, [], quiet, at('12:00:00'))).toEqual(['a'])
  expect(isQuiet({ quietFrom: 60, quietTo: 60, timeZone: 'UTC' }, at('01:00:00'))).toBe(false)
})

test('20 failures take more than 24 hours', () => {
  let waited = 0
  for (let failures = 1; failures < maxFailures; failures += 1) waited += waitAfter(failures)
  expect(waited).toBeGreaterThan(24 * 3_600_000)
  expect(waitAfter(1)).toBe(60_000)
  expect(waitAfter(1000)).toBe(2 * 3_600_000)
})

test('two messages about one server within an hour, or four within six, hold a third back; other servers and events are not held back', () => {
  const reach = (id: string, subjectId: string) => pending(id, '10:00:00', { kind: 'server_unreachable', subjectId })
  const told = (...times: string[]) => times.map((time) => ({ at: at(time), calm: new Set(['reach web-1']) }))
  const events = [reach('one', 'web-1'), reach('two', 'web-2'), pending('three', '10:00:00')]
  expect(planMessage(events, told('09:30:00'), never, at('10:05:00'))).toEqual(['one', 'three', 'two'])
  expect(planMessage(events, told('09:30:00', '09:40:00'), never, at('10:05:00'))).toEqual(['three', 'two'])
  expect(planMessage(events, told('09:00:00', '09:40:00'), never, at('10:05:00'))).toEqual(['one', 'three', 'two'])
  expect(planMessage(events, told('05:00:00', '06:00:00', '07:00:00', '08:00:00'), never, at('10:05:00'))).toEqual(['three', 'two'])
})

test('what servers and sites need in the next days is one message in three hours; other events go on', () => {
  const events = [
    pending('one', '10:00:00', { kind: 'certificate_ending', subjectId: 'shop' }),
    pending('two', '10:00:00', { kind: 'updates_waiting', subjectId: 'web-1' }),
    pending('three', '10:00:00', { kind: 'disk_full_soon', subjectId: 'web-1' }),
  ]
  const told = (time: string) => [{ at: at(time), calm: new Set(['upkeep']) }]
  expect(planMessage(events, [], never, at('10:05:00'))).toEqual(['one', 'three', 'two'])
  expect(planMessage(events, told('07:05:01'), never, at('10:05:00'))).toEqual(['three'])
  expect(planMessage(events, told('07:05:00'), never, at('10:05:00'))).toEqual(['one', 'three', 'two'])
})

test('copies that become late one after another, and are good again one after another, are one message in three hours', () => {
  const earlier = [{ at: at('10:01:00'), calm: new Set(['upkeep']) }]
  const events = (['copy_late', 'copy_good'] as const).map((kind) => pending(kind, '10:10:00', { kind, subjectId: 'site-2' }))
  expect(planMessage(events, earlier, never, at('10:20:00'))).toEqual([])
  expect(planMessage(events, earlier, never, at('13:02:00'))).toEqual(['copy_good', 'copy_late'])
})

test('what a message about upkeep had no room for follows with the next one, and does not wait three hours; what came later does', () => {
  const updates = (id: string, time: string) => pending(id, time, { kind: 'updates_waiting', subjectId: id })
  const earlier = [{ at: at('10:01:00'), calm: new Set(['upkeep']) }]
  const waiting = [updates('rest', '10:00:30'), updates('later', '10:02:00')]
  expect(planMessage(waiting, earlier, never, at('10:03:30'))).toEqual(['rest'])
  expect(planMessage([updates('later', '10:02:00')], earlier, never, at('13:00:59'))).toEqual([])
  expect(planMessage([updates('later', '10:02:00')], earlier, never, at('13:01:00'))).toEqual(['later'])
})

test('however often something happens, there are at most 12 messages an hour, and everything is in one of them', () => {
  const earlier: { at: Date; calm: Set<string> }[] = []
  let waiting: Pending[] = []
  let sent = 0
  const start = at('00:00:00').getTime()
  for (let round = 0; round < 8 * 60 * 4; round += 1) {
    const now = new Date(start + round * 15_000)
    waiting.push({ ...pending(`event ${round}`, '00:00:00'), at: now })
    const ids = new Set(planMessage(waiting, earlier, never, now))
    if (ids.size === 0) continue
    sent += ids.size
    waiting = waiting.filter(({ id }) => !ids.has(id))
    earlier.push({ at: now, calm: new Set() })
    expect(earlier.filter(({ at: made }) => now.getTime() - made.getTime() < 3_600_000).length).toBeLessThanOrEqual(12)
    expect(now.getTime() - Math.min(...waiting.map(({ at: since }) => since.getTime()), now.getTime())).toBeLessThan(600_000)
  }
  expect(sent + waiting.length).toBe(8 * 60 * 4)
  expect(earlier.length).toBeGreaterThan(8 * 5)
})

test('a program gets 250 events in one message, people a thousand', () => {
  const events = Array.from({ length: 1_200 }, (_each, index) => pending(`event ${index}`, '10:00:00'))
  expect(planMessage(events, [], never, at('10:05:00'))).toHaveLength(250)
  expect(planMessage(events, [], { ...never, kind: 'mail' }, at('10:05:00'))).toHaveLength(1_000)
})

test('what happened to one server’s reachability is one line, which says how it ended', () => {
  const event = (kind: Event['kind'], subjectId: string, text: string): Event => ({ kind, subjectId, text, href: null, at: '' })
  const lines = groupEvents([
    event('server_unreachable', 'web-1', 'down'),
    event('disk_full_soon', 'web-1', 'full'),
    event('server_unreachable', 'web-2', 'also down'),
    event('server_reachable', 'web-1', 'up'),
  ])
  expect(lines.map(({ text, times }) => `${text} ${times}`)).toEqual(['full 1', 'also down 1', 'up 2'])
})

test('times of the day', () => {
  expect([parseTimeOfDay('07:05'), parseTimeOfDay('7:05'), parseTimeOfDay('24:00'), parseTimeOfDay('')]).toEqual([425, null, null, null])
  // The night on which clocks in Berlin go back has 02:30 twice.
  expect(localTime(new Date('2026-10-25T00:30:00Z'), 'Europe/Berlin')).toEqual({ day: '2026-10-25', minute: 150 })
  expect(localTime(new Date('2026-10-25T01:30:00Z'), 'Europe/Berlin')).toEqual({ day: '2026-10-25', minute: 150 })
})
