/** Answers of a call that succeeded, in the dialects of many services. */
import { expect, test } from 'vitest'
import { decodeAnswer, encodeAnswer } from '@/lib/contract/answer'
import { contract, interfaceOperations as operations } from '@/lib/contract/index'
import type { Operation } from '@/lib/contract/operation'
import { lawAnswers } from './law-answers'

const { servers, sites, cron, firewall, logs, backups, aliases, apps, users } = contract

const reply = (body: unknown, status = 200) => ({
  status,
  contentType: 'application/json',
  body: typeof body === 'string' ? body : JSON.stringify(body),
})

/** What a client reads of a successful answer with these members. */
function readOk<O extends Operation>(operation: O, members: Record<string, unknown>) {
  const outcome = decodeAnswer(operation, reply({ success: true, ...members }))
  if (!outcome.ok) throw new Error(`${operation.id}: ${outcome.problem.code}`)
  return outcome.data
}

function readProblem(operation: Operation, body: unknown) {
  const outcome = decodeAnswer(operation, reply(body))
  return outcome.ok ? outcome : outcome.problem
}

test.each(operations)('an answer of $id arrives as it was given', (operation) => {
  const data = lawAnswers[operation.id]
  expect(data).toBeDefined()
  const body = encodeAnswer(operation, data as never)
  expect(JSON.parse(body)).toEqual({ success: true, ...data })
  expect(decodeAnswer(operation, reply(body))).toEqual({ ok: true, data })
})

const extensionMembers = new Set([
  'provider',
  'state',
  'host_key',
  'timezone',
  'reboot_required',
  'failed_units',
  'failing_certificates',
  'foreign_links',
  'outdated_server',
  'outdated_sites',
  'upgrades_at_night',
  'night_run',
  'taken',
  'events',
  'cleaned',
  'backup',
  'kept',
  'firewall',
  'credentials',
  'created_at',
  'proven',
  'expected',
  'names',
  'covered',
  'left_out',
  'issued',
  'expires',
  'problem',
  'checks',
  'php_versions',
  'upload_limit',
  'memory_limit',
  'folder',
  'workers',
  'waiting',
  'mail_per_hour',
  'mail_held_until',
  'php_extensions',
  'logs',
  'content',
  'missing',
  'last',
  'timer',
])

test.each(operations)('an answer of $id without any extension member is whole', (operation) => {
  const data = lawAnswers[operation.id]
  const bare = JSON.parse(JSON.stringify(data), (name, value) => (extensionMembers.has(name) ? undefined : value))
  if (operation.id === 'sites.create') delete bare.id
  expect(decodeAnswer(operation, reply({ success: true, ...bare }))).toMatchObject({ ok: true, data: bare })
})

test('a handler cannot leak what the interface does not name', () => {
  const data = { items: [{ id: '1', name: 'a', hostname: '', dns: '', privateKey: 'secret' }], accountId: 'x' }
  expect(encodeAnswer(servers.list, data)).toBe('{"success":true,"items":[{"id":"1","name":"a","hostname":"","dns":""}]}')
})

test('item may be an array, the bare object, or an object keyed by number', () => {
  const item = { domain: 'a.example', ssl: true }
  for (const written of [[item], item, { 0: item }, [item, { domain: 'b', ssl: false }]]) {
    expect(readOk(sites.settings, { item: written }).item[0]).toMatchObject(item)
  }
})

test('a list may be one object, an array, an object keyed by numbers, or null', () => {
  const rule = { id: '1', port: '22', protocol: 'tcp', v6: '', action: 'ALLOW', from: 'any' }
  const read = (rules: unknown) => readOk(firewall.get, { active: true, rules }).rules
  for (const written of [rule, [rule], { 3: rule }]) expect(read(written)).toEqual([rule])
  for (const written of [[], {}, null]) expect(read(written)).toEqual([])
  expect(read({ 0: rule, 2: { ...rule, id: '2' } })).toHaveLength(2)
})

test('numbers, booleans and null become the strings of the interface; missing members are empty', () => {
  const job = { line: 3, command: true, user: null, minute: 0, hour: '*', dom: '*', mon: '*' }
  const [read] = readOk(cron.list, { port: 22, cronjobs: job }).cronjobs
  expect(read).toEqual({ line: '3', command: 'true', user: '', minute: '0', hour: '*', dom: '*', mon: '*', dow: '' })
  expect(readOk(cron.list, { port: 22, cronjobs: [] })).toMatchObject({ port: '22', name: '', cronjobs: [] })
})

test('a flag may be a boolean, 0 or 1, or one of their names; silence is not false', () => {
  const read = (active: unknown) => readOk(firewall.get, { active, rules: [] }).active
  for (const yes of [true, 1, '1', 'true']) expect(read(yes)).toBe(true)
  for (const no of [false, 0, '0', 'false']) expect(read(no)).toBe(false)
  for (const other of [undefined, null, '', 2, 'yes', [true]]) {
    expect(readProblem(firewall.get, { success: true, active: other, rules: [] })).toMatchObject({ code: 'upstream_not_understood' })
  }
})

test('a new server may be told as items, one item, an id or a numeric id', () => {
  for (const told of [{ items: [{ id: '7' }] }, { items: { id: 7 } }, { id: '7' }, { id: 7 }, { server_id: 7 }, { site_id: '7' }]) {
    expect(readOk(servers.create, told).items[0].id).toBe('7')
  }
  expect(readProblem(servers.create, { success: true })).toMatchObject({ code: 'outcome_unknown' })
})

test('a new site may be told with its id, or not', () => {
  for (const told of [{ items: [{ id: '7' }] }, { items: { id: '7' } }, { id: 7 }, { site_id: '7' }])
    expect(readOk(sites.create, told).id).toBe('7')
  expect(readOk(sites.create, {}).id).toBeUndefined()
})

test('the content of a log is found where services put it', () => {
  for (const told of [{ content: 'a\nb' }, { log: 'a\nb' }, { data: 'a\nb' }, { lines: ['a', 'b'] }, { content: null, data: ['a', 'b'] }]) {
    expect(readOk(logs.fetch, told)).toEqual({ content: 'a\nb', logs: [] })
  }
  expect(readOk(logs.fetch, { log: 'auth', content: 'a', logs: ['auth'] })).toEqual({ content: 'a', logs: ['auth'] })
  expect(readOk(logs.fetch, {})).toEqual({ content: '', logs: [] })
})

test('a size is a number where it is one, and the words of the service where not', () => {
  const read = (size: unknown) => readOk(backups.list, { items: [{ name: 'a', size, date: '' }] }).items[0]?.size
  expect([read(5000), read('5000'), read('12 GB'), read('small'), read(null)]).toEqual([5000, 5000, 12 * 1024 ** 3, 'small', ''])
})

test('what a resolver did not find may be left out in any way', () => {
  for (const dns of [undefined, null, [], {}, { A: null }]) {
    const item = { domain: 'a', aliases: { domain: 'b', dns }, server: { name: 'c', ip: 'd', dns: 'e' } }
    expect(readOk(aliases.list, { item }).item[0].aliases).toEqual([{ domain: 'b', dns: { A: '', MX: '' } }])
  }
  for (const app of [undefined, null, [], {}])
    expect(readOk(apps.get, { item: { domain: 'a', app } }).item[0].app).toEqual({ name: '', version: '' })
})

test('members nobody knows are dropped, and a known name with another meaning too', () => {
  const told = { items: [{ id: 1, name: 'a', state: 'on fire', provider: 5, host_key: [], extra: {} }], took: 5 }
  expect(JSON.parse(JSON.stringify(readOk(servers.list, told)))).toEqual({ items: [{ id: '1', name: 'a', hostname: '', dns: '' }] })
})

test('JSON said to be HTML, and JSON behind a byte order mark, is JSON', () => {
  const body = '\uFEFF{"success":true,"users":{"name":"a"}}'
  const outcome = decodeAnswer(users.list, { status: 200, contentType: 'text/html', body })
  expect(outcome).toMatchObject({ ok: true, data: { users: [{ name: 'a' }] } })
})

test('security 35: names in strings and in several objects are no repetition', () => {
  const items = [
    { id: '1', name: '"id":"2",\\"id\\":' },
    { id: '2', name: '__proto__' },
  ]
  expect(readOk(servers.list, { items }).items.map(({ name }) => name)).toEqual(['"id":"2",\\"id\\":', '__proto__'])
})
