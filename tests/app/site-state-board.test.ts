/** What the overview of a site says of its state, and what it advises to do first. */
import { expect, test } from 'vitest'
import { describeAnswer, findStep } from '@/app/(portal)/sites/[siteId]/state-board'
import { describeTraffic, hoursOf, type Traffic } from '@/app/(portal)/sites/[siteId]/traffic-chart'
import type { SiteRow } from '@/lib/portal/subjects/sites/row'

const traffic = (more: Partial<Traffic> = {}): Traffic => ({
  from: '2026-11-20T11:00:00.000Z',
  hours: [
    { requests: 1200, client_errors: 3, server_errors: 0 },
    { requests: 34, client_errors: 0, server_errors: 1 },
  ],
  whole: true,
  ...more,
})

test('a site shows its time to first byte, or why it is down', () => {
  expect(describeAnswer('ready', traffic({ status: 200, first_byte_ms: 84 }))).toBe('First byte after 84 ms, measured on the server')
  expect(describeAnswer('down', traffic({ status: 0, first_byte_ms: 0 }))).toBe('Its web server does not answer.')
  expect(describeAnswer('ready', traffic({ status: 503, first_byte_ms: 9 }))).toBe('It answers with error 503.')
  expect([describeAnswer('down', null), describeAnswer('ready', null), describeAnswer('ready', traffic())]).toEqual([
    'Its web server does not answer for the domain.',
    '',
    '',
  ])
})

test('requests are counted in words with the errors of each kind', () => {
  expect(describeTraffic(traffic())).toBe('1,234 requests, 3 client errors (4xx), 1 server error (5xx)')
  expect(describeTraffic(traffic({ hours: [{ requests: 1, client_errors: 0, server_errors: 0 }] }))).toBe(
    '1 request, no client errors (4xx), no server errors (5xx)',
  )
  expect(describeTraffic(traffic({ hours: [] }))).toBe('No requests')
})

test('a service that says nonsense of its hours breaks no page: without a time there are no bars, and never more than a day of them', () => {
  expect(hoursOf(traffic()).map(({ at }) => new Date(at).getUTCHours())).toEqual([11, 12])
  for (const from of ['', 'yesterday', '+275760-09-13T00:00:00.000Z']) expect(hoursOf(traffic({ from }))).toEqual([])
  const many = Array.from({ length: 300_000 }, () => ({ requests: 1, client_errors: 0, server_errors: 0 }))
  expect(hoursOf(traffic({ hours: many }))).toHaveLength(24)
})

const now = Date.parse('2026-11-20T11:00:00Z')

const step = (more: Partial<SiteRow>, state = 'ready') =>
  findStep({ id: 'one', ssl: 'on', expires: '2027-01-01T00:00:00Z', points: 'yes', extensions: true, ...more } as SiteRow, state, now)?.href

test('the next step is about what keeps visitors away, then about SSL, else there is none', () => {
  expect([step({}), step({ ssl: '', points: '' }), step({ ssl: 'off', points: '' })]).toEqual([undefined, undefined, undefined])
  expect(step({ points: 'no', ssl: 'off' }, 'down')).toBe('/sites/one/logs?log=error')
  expect([step({ points: 'no', ssl: 'off' }), step({ points: 'no', extensions: false }, 'down')]).toEqual(['#dns', '#dns'])
  expect([step({ expires: '2026-11-01T00:00:00Z' }), step({ ssl: 'off' })]).toEqual(['/sites/one/ssl', '/sites/one/ssl'])
})
