/** What is said about freezing a connection. */
import { expect, test } from 'vitest'
import { chipOfState } from '@/app/(portal)/keys/key-columns'
import { formatFrozen, formatStops } from '@/app/(portal)/keys/key-menu'

test('freezing says what stops: calls for its servers, and following its jobs', () => {
  expect(formatStops({ label: 'Shared', servers: 12, jobs: 1 })).toBe(
    'Gatehouse makes no calls with it for its 12 servers and 1 running job until it is thawed. Jobs continue at the service.',
  )
  expect(formatFrozen({ label: 'Shared', servers: 1, jobs: 0 })).toBe(
    'Shared is frozen. Streams through it end within 5 seconds. Gatehouse makes no calls with it for its 1 server until it is thawed. Jobs continue at the service.',
  )
  expect(formatStops({ label: 'New', servers: 0, jobs: 0 })).toBe(
    'Gatehouse makes no calls with it until it is thawed. Jobs continue at the service.',
  )
})

test('a connection that somebody froze since the page was opened is frozen, and does not fail to answer', () => {
  expect(chipOfState('working', { code: 'key_frozen' }).label).toBe('Frozen')
  expect(chipOfState('working', { code: 'upstream_unreachable' }).label).toBe('No answer')
  expect(chipOfState('working', null).label).toBe('Working')
})
