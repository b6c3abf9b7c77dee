import { expect, test } from 'vitest'
import { lastNight } from '@/lib/portal/views/home/night-window'

const night = (now: string, zone: string) => {
  const { from, to } = lastNight(Date.parse(now), zone)
  return [new Date(from).toISOString(), new Date(to).toISOString()]
}

test('by day and in the evening, last night is the one that ended in the morning, in the reader’s time zone', () => {
  const ofFriday = ['2026-11-26T19:00:00.000Z', '2026-11-27T07:00:00.000Z']
  expect(night('2026-11-27T07:30:00Z', 'Europe/Berlin')).toEqual(ofFriday)
  expect(night('2026-11-27T22:59:59Z', 'Europe/Berlin')).toEqual(ofFriday)
  expect(night('2026-11-27T12:00:00Z', 'Asia/Kathmandu')).toEqual(['2026-11-26T14:15:00.000Z', '2026-11-27T02:15:00.000Z'])
})

test('from midnight on it is the night that lasts', () => {
  expect(night('2026-11-27T23:00:00Z', 'Europe/Berlin')).toEqual(['2026-11-27T19:00:00.000Z', '2026-11-28T07:00:00.000Z'])
})

test('a night in which clocks change is an hour shorter or longer', () => {
  expect(night('2026-03-29T10:00:00Z', 'Europe/Berlin')).toEqual(['2026-03-28T19:00:00.000Z', '2026-03-29T06:00:00.000Z'])
  expect(night('2026-10-25T10:00:00Z', 'Europe/Berlin')).toEqual(['2026-10-24T18:00:00.000Z', '2026-10-25T07:00:00.000Z'])
})
