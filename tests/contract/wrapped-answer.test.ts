/** Lists that an answer lacks, and answers whose members are one object deeper. */
import { expect, test } from 'vitest'
import { decodeAnswer } from '@/lib/contract/answer'
import { contract, interfaceOperations as operations } from '@/lib/contract/index'
import { decodeLargeAnswer, maxItems } from '@/lib/contract/large-answer'
import type { Operation } from '@/lib/contract/operation'
import { changesSomething } from '@/lib/contract/policy'
import { problem } from '@/lib/contract/problem'
import { lawAnswers } from './law-answers'

const { servers, sites, cron, users, firewall, mail, aliases, email, backups, serverBackups, database, logs } = contract

const reply = (body: unknown) => ({ status: 200, contentType: 'application/json', body: JSON.stringify(body) })
const read = (operation: Operation, body: Record<string, unknown>) => decodeAnswer(operation, reply(body))
const notUnderstood = { ok: false, problem: problem('upstream_not_understood') }
const server = { id: '7', name: 'alpha', hostname: '', dns: '' }

type Members = Record<string, unknown>

const lists: readonly [name: string, operation: Operation, body: (list: Members) => Members][] = [
  ['servers', servers.list, (list) => list],
  ['sites', sites.list, (list) => list],
  ['cron jobs', cron.list, (list) => ({ name: 'alpha', ...rename(list, 'cronjobs') })],
  ['system users', users.list, (list) => ({ name: 'alpha', ...rename(list, 'users') })],
  ['firewall rules', firewall.get, (list) => ({ active: true, ...rename(list, 'rules') })],
  ['messages', mail.list, (list) => rename(list, 'messages')],
  ['server backups', serverBackups.list, (list) => list],
  ['site backups', backups.list, (list) => ({ domain: 'a.test', ip: '', ...list })],
  ['tables', database.tables, (list) => rename(list, 'tables')],
  ['aliases', aliases.list, (list) => ({ item: [{ domain: 'a.test', server: {}, ...rename(list, 'aliases') }] })],
  ['addresses', email.get, (list) => ({ item: [{ domain: 'a.test', email: true, server: {}, ...rename(list, 'emails') }] })],
]

const rename = (list: Members, name: string): Members => ('items' in list ? { [name]: list.items } : {})

test.each(lists)('an answer without its list of %s cannot be read, nor one with something else in its place', (_name, operation, body) => {
  for (const list of [{}, { items: undefined }, { items: '' }, { items: 'none' }, { items: 0 }, { items: false }])
    expect(read(operation, { success: true, ...body(list) })).toEqual(notUnderstood)
})

test.each(lists)('a list of %s that is null or without members is empty', (_name, operation, body) => {
  const empty = read(operation, { success: true, ...body({ items: [] }) })
  expect(empty).toMatchObject({ ok: true })
  for (const items of [null, {}]) expect(read(operation, { success: true, ...body({ items }) })).toEqual(empty)
})

test.each(operations.filter((one) => !changesSomething(one)))('an answer of $id is read inside one unknown object', (operation) => {
  const members = lawAnswers[operation.id]
  const plain = read(operation, { success: true, ...members })
  expect(plain).toMatchObject({ ok: true })
  expect(read(operation, { success: true, result: members })).toEqual(plain)
  expect(read(operation, { success: true, result: { success: true, ...members }, took: 5, tags: ['a'] })).toEqual(plain)
})

test('a server that was created is recognised by its id in an unknown object', () => {
  for (const data of [{ id: 7 }, { items: [{ id: '7' }] }, { server_id: '7' }])
    expect(read(servers.create, { success: true, data })).toMatchObject({ ok: true, data: { items: [{ id: '7' }] } })
  expect(read(servers.create, { success: true, data: { success: false, id: 7 } })).toMatchObject({ problem: { code: 'outcome_unknown' } })
})

test.each<[string, Record<string, unknown>]>([
  ['success is false', { success: false, data: { items: [server] } }],
  ['success inside is false', { success: true, data: { success: false, items: [server] } }],
  ['two objects fit', { success: true, data: { items: [server] }, page: { items: [] } }],
  ['its list is in an object deeper', { success: true, data: { result: { items: [server] } } }],
  ['its list has an unknown name', { success: true, data: [server] }],
  ['its object is empty', { success: true, data: {} }],
  ['its object lacks the list', { success: true, data: { total: 3 } }],
  ['members of the answer are beside it', { success: true, items: 'see data', data: { items: [server] } }],
  ['no item can be read', { success: true, data: { items: [{ name: 'alpha' }] } }],
])('nothing is read if %s', (_, body) => {
  expect(read(servers.list, body)).toMatchObject({ ok: false })
})

test('an item that cannot be read is left out of a wrapped list too', () => {
  const outcome = read(servers.list, { success: true, data: { items: [server, { id: '8' }] } })
  expect(outcome).toMatchObject({ ok: true, unreadable: 1, data: { items: [{ id: '7' }] } })
})

test('the content of a log in an unknown object is not taken for an empty log', () => {
  expect(read(logs.fetch, { success: true, result: { content: 'one' } })).toMatchObject({ ok: true, data: { content: 'one' } })
  expect(read(logs.fetch, { success: true, data: { lines: ['one', 'two'] } })).toMatchObject({ ok: true, data: { content: 'one\ntwo' } })
  expect(read(logs.fetch, { success: true })).toMatchObject({ ok: true, data: { content: '' } })
})

test.each([
  ['an array', (count: number): unknown => Array.from({ length: count }, (_, id) => ({ ...server, id }))],
  ['an object keyed by numbers', (count: number): unknown => ({ ...Array.from({ length: count }, (_, id) => ({ ...server, id })) })],
])('a wrapped list as %s is read in slices, and its first 20,000 items are used', async (_, make) => {
  let turns = 0
  const count = async () => {
    turns += 1
  }
  const whole = await decodeLargeAnswer(servers.list, reply({ success: true, data: { items: make(maxItems) } }), count)
  expect(whole.ok && whole.data.items.length).toBe(maxItems)
  expect(turns).toBeGreaterThan(40)
  const more = await decodeLargeAnswer(servers.list, reply({ success: true, data: { items: make(maxItems + 1) } }), count)
  expect(more).toEqual({ ...whole, cut: { shown: maxItems, total: maxItems + 1 } })
})
