/** An item of a list that cannot be read costs that row and nothing else. */
import { expect, test } from 'vitest'
import { decodeAnswer } from '@/lib/contract/answer'
import { contract } from '@/lib/contract/index'
import { decodeLargeAnswer } from '@/lib/contract/large-answer'
import type { Operation } from '@/lib/contract/operation'

type Item = Record<string, unknown>

const reply = (body: Item) => ({ status: 200, contentType: 'application/json', body: JSON.stringify({ success: true, ...body }) })

const { servers, cron, users, firewall, mail, serverBackups, sites, aliases, backups, email } = contract

const lists: readonly [
  name: string,
  operation: Operation,
  good: readonly Item[],
  broken: readonly unknown[],
  body: (items: unknown) => Item,
][] = [
  ['servers', servers.list, [{ id: '1', name: 'a' }], [{ name: 'b' }, { id: '2', name: '' }, null], (items) => ({ items })],
  ['cron jobs', cron.list, [{ line: '1', command: 'true' }], [{ command: 'b' }, { line: '2', command: {} }], (cronjobs) => ({ cronjobs })],
  ['system users', users.list, [{ name: 'anna' }], [{ name: null }, 7], (list) => ({ users: list })],
  ['firewall rules', firewall.get, [{ id: '1' }], [{ id: '' }, { port: '22' }], (rules) => ({ active: true, rules })],
  ['messages', mail.list, [{ id: 'x' }], [{ size: '2' }, []], (messages) => ({ messages })],
  ['server backups', serverBackups.list, [{ name: 'x' }], [{ size: '2' }, 'y'], (items) => ({ items })],
  ['sites', sites.list, [{ id: '1', domain: 'a.test' }], [{ domain: 'b.test' }], (items) => ({ items })],
  ['aliases', aliases.list, [{ domain: 'a.test' }], [{ dns: {} }], (list) => ({ item: [{ domain: 'x.test', server: {}, aliases: list }] })],
  ['site backups', backups.list, [{ name: 'x', size: 1000 }], [{ size: 2 }], (items) => ({ domain: 'x.test', items })],
  [
    'addresses',
    email.get,
    [{ user: 'info' }],
    [{ destination: 'a@x.test' }],
    (emails) => ({ item: [{ domain: 'x.test', email: true, server: {}, emails }] }),
  ],
]

test.each(lists)(
  'of the list of %s the items that can be read are shown, and the others are counted',
  (_name, operation, good, broken, body) => {
    const whole = decodeAnswer(operation, reply(body(good)))
    expect(whole).toMatchObject({ ok: true })
    expect(whole).not.toHaveProperty('unreadable')
    const mixed = [...broken, ...good]
    expect(decodeAnswer(operation, reply(body(mixed)))).toEqual({ ...whole, unreadable: broken.length })
    // As PHP writes a list with holes.
    const keyed = Object.fromEntries(mixed.map((item, index) => [String(index * 2), item]))
    expect(decodeAnswer(operation, reply(body(keyed)))).toEqual({ ...whole, unreadable: broken.length })
  },
)

test.each(lists)('a list of %s of which nothing can be read is not taken for an empty one', (_name, operation, _good, broken, body) => {
  expect(decodeAnswer(operation, reply(body(broken)))).toMatchObject({ ok: false, problem: { code: 'upstream_not_understood' } })
})

test('a thing that is broken itself is not left out of its answer', () => {
  expect(decodeAnswer(servers.summary, reply({ item: [{ ip: '192.0.2.1' }] }))).toMatchObject({ ok: false })
  expect(decodeAnswer(servers.create, reply({ items: [{ name: 'a' }] }))).toMatchObject({ ok: false })
})

test('of a long list too each broken item is counted once', async () => {
  const items = Array.from({ length: 2_000 }, (_, index) => ({
    id: index % 700 === 3 ? '' : `${index}`,
    name: `server ${index} ${'x'.repeat(20)}`,
  }))
  const outcome = await decodeLargeAnswer(servers.list, reply({ items }), async () => undefined)
  expect(outcome).toMatchObject({ ok: true, unreadable: 3 })
  expect(outcome.ok && outcome.data.items).toHaveLength(1_997)
})

test('a short answer full of broken items stops everything else for a moment only', () => {
  const body = `{"success":true,"active":true,"rules":[{"id":"1"},${'0,'.repeat(16_000)}0]}`
  expect(decodeAnswer(firewall.get, { status: 200, contentType: 'application/json', body })).toMatchObject({ ok: true, unreadable: 16_001 })
})
