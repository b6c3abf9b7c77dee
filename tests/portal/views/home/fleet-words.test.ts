import { expect, test } from 'vitest'
import { describeFleet, type FleetFacts } from '@/lib/portal/views/home/fleet-words'

const none: FleetFacts = {
  servers: { all: 0, states: {} },
  sites: { all: 0, up: 0, down: 0, stateless: 0 },
  backups: null,
  updates: { count: 0, serverId: null },
}
const sentence = (facts: Partial<FleetFacts>) => describeFleet({ ...none, ...facts }).map(({ text }) => text)

test('without servers and sites there is no sentence', () => {
  expect(describeFleet(none)).toEqual([])
})

test('the sentence of a fleet without problems names servers, sites and last night’s backups', () => {
  const parts = describeFleet({
    ...none,
    servers: { all: 12, states: { ready: 12 } },
    sites: { all: 1_060, up: 1_060, down: 0, stateless: 0 },
    backups: { all: 12, done: 12, unknown: 0 },
  })
  expect(parts).toEqual([
    { key: 'servers', text: '12 servers ready', href: '/servers', isGood: true },
    { key: 'sites', text: '1,060 sites up', href: '/sites', isGood: true },
    { key: 'backups', text: '12 servers backed up last night', href: '/backups', isGood: true },
  ])
})

test('what is down, unreachable or unknown is not counted as good, and has a part with its own list', () => {
  const parts = describeFleet({
    servers: { all: 12, states: { ready: 8, unreachable: 1, unknown: 2, new: 1 } },
    sites: { all: 60, up: 56, down: 2, stateless: 0 },
    backups: { all: 11, done: 7, unknown: 3 },
    updates: { count: 2, serverId: null },
  })
  expect(parts.map(({ text, href, isGood }) => [text, href, isGood])).toEqual([
    ['8 of 12 servers ready', '/servers', true],
    ['1 unreachable', '/servers?state=unreachable', false],
    ['2 unknown', '/servers?state=unknown', false],
    ['56 of 60 sites up', '/sites', true],
    ['2 sites down', '/sites?state=down&state=failed', false],
    ['7 of 11 servers backed up last night (3 unknown)', '/backups', false],
    ['2 servers wait for security updates', '/servers', true],
  ])
})

test('one of a kind is named in the singular, and leads to its page', () => {
  expect(describeFleet({ ...none, updates: { count: 1, serverId: 'a' } })).toMatchObject([
    { text: '1 server waits for security updates', href: '/servers/a' },
  ])
  expect(sentence({ servers: { all: 1, states: { new: 1 } }, sites: { all: 1, up: 0, down: 1, stateless: 0 } })).toEqual([
    '0 of 1 server ready',
    '0 of 1 site up',
    '1 site down',
  ])
})

test('of servers and sites whose service reports no state only the number is said', () => {
  expect(sentence({ servers: { all: 3, states: { listed: 3 } }, sites: { all: 5, up: 0, down: 0, stateless: 5 } })).toEqual([
    '3 servers',
    '5 sites',
  ])
  expect(sentence({ sites: { all: 5, up: 2, down: 0, stateless: 2 } })).toEqual(['2 of 3 sites up (2 more report no state)'])
})
