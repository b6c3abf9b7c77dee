/** What each operation's policy says, as a table: a change of it is seen here. */
import { expect, test } from 'vitest'
import { contract, operations } from '@/lib/contract/index'
import { filteredIds, type MemberOutline, markedMembers, outlineOf } from '@/lib/contract/json-schema'
import type { Operation } from '@/lib/contract/operation'
import { auditedFields, auditOf, changesSomething, extensionRefusal, onlyAsks } from '@/lib/contract/policy'

const idsOf = (which: (operation: Operation) => unknown): string[] => operations.filter(which).map(({ id }) => id)

test('a destructive operation is confirmed by the name of its target, or by what it destroys', () => {
  expect(Object.fromEntries(operations.flatMap(({ id, confirm }) => (confirm ? [[id, confirm]] : [])))).toMatchObject({
    'apps.push': 'name',
    'backups.delete': { field: 'ids' },
    'backups.restore': 'name',
    'mail.delete': { field: 'ids' },
    'serverBackups.delete': { field: 'ids' },
    'servers.delete': 'name',
    'servers.resetKey': 'name',
    'sites.delete': 'name',
    'users.delete': { field: 'user' },
  })
  for (const { id, effect, confirm, fields } of operations) {
    if (effect === 'destroy') expect(confirm, id).toBeDefined()
    if (typeof confirm === 'object') expect(Object.keys(fields), id).toContain(confirm.field)
  }
})

test('every export needs a fresh sign-in, changes nothing and is always audited', () => {
  const exports = operations.filter(({ effect }) => effect === 'export')
  expect(exports.map(({ id }) => id)).toContain('sites.download')
  for (const operation of exports) {
    expect([operation.id, operation.freshSignIn, changesSomething(operation), auditOf(operation)]).toEqual([
      operation.id,
      true,
      false,
      'always',
    ])
  }
})

test('what is not a read is always audited; of reads only logs are, once while they are followed', () => {
  const followed = ['logs.fetch', 'logs.fetchSite']
  expect(idsOf((operation) => operation.effect !== 'read' && auditOf(operation) !== 'always')).toEqual([])
  expect(idsOf((operation) => operation.effect === 'read' && auditOf(operation) !== 'never')).toEqual(followed)
  expect(idsOf((operation) => auditOf(operation) === 'followed')).toEqual(followed)
})

test('the audit log gets no password, and no command, in which users write passwords', () => {
  for (const operation of operations) {
    for (const name of auditedFields(operation)) expect(`${operation.id} ${name}`).not.toMatch(/ (pass|password|command)$/)
  }
  expect(auditedFields(contract.users.save)).toEqual(['user'])
})

test('a call that only asks is recognised by its field, and is refused if that field would be omitted', () => {
  const { resetKey, create, setHostname } = contract.servers
  for (const operation of [resetKey, create]) {
    expect(onlyAsks(operation, { host_key: 'ask' })).toBe(true)
    expect(onlyAsks(operation, { host_key: 'SHA256:x', user: 'ask' })).toBe(false)
    for (const forged of [Object.create({ host_key: 'ask' }), { host_key: ['ask'] }, { host_key: 'ask ' }])
      expect(onlyAsks(operation, forged)).toBe(false)
    expect(extensionRefusal(operation, { host_key: 'ask' })).toMatch(/host key/)
    expect(extensionRefusal(operation, {})).toBeNull()
  }
  expect(onlyAsks(setHostname, { host_key: 'ask' })).toBe(false)
})

const marked = {
  'aliases.list': ['item.domain site.name', 'item.server.name server.name'],
  'apps.get': ['item.domain site.name'],
  'backups.list': ['domain site.name'],
  'cron.list': ['name server.name'],
  'database.get': ['item.domain site.name'],
  'email.get': ['item.domain site.name'],
  'servers.create': ['items.id server.id'],
  'servers.list': ['items.id server.id', 'items.name server.name'],
  'servers.summary': ['item.name server.name'],
  'sftp.list': ['domain site.name'],
  'sites.create': ['id site.id'],
  'sites.list': ['items.id site.id', 'items.domain site.name', 'items.server server.id'],
  'sites.settings': ['item.domain site.name'],
  'sites.summary': ['item.domain site.name', 'item.server.name server.name'],
  'users.list': ['name server.name'],
}

test('members that hold the id or the name of a server, site or connection are marked, and these are all of them', () => {
  const written = operations.flatMap(({ id, answer }) => {
    const members = markedMembers(answer).map(({ path, names }) => `${path} ${names}`)
    return members.length === 0 ? [] : [[id, members]]
  })
  expect(Object.fromEntries(written)).toEqual(marked)
})

/** A read that is aimed at nothing lists: what it lists has to be known by its id. */
const unmarkedLists = (all: readonly Operation[]): string[] =>
  all.flatMap(({ id, path, effect, answer }) => {
    if (effect !== 'read' || path.includes('{')) return []
    return markedMembers(answer).some(({ names }) => names.endsWith('.id')) ? [] : [id]
  })

/** The ids in answers that mean neither a server nor a site, and what is only called like one. */
const otherIds = [
  'servers.summary item.outdated_server',
  'servers.summary item.outdated_sites',
  'servers.summary item.events.id',
  'servers.summary item.events.site',
  'firewall.get rules.id',
  'mail.list messages.id',
]

test('every id in an answer has a filter, or is known to mean neither a server nor a site', () => {
  const isId = (path: string) => /(^|[._])(ids?|servers?|sites?)$/.test(path)
  const found = operations.flatMap(({ id, answer }) => {
    const filtered = new Set(filteredIds(answer).map(({ path }) => path.join('.')))
    return pathsOf(outlineOf(answer)).flatMap((path) => (isId(path) && !filtered.has(path) ? [`${id} ${path}`] : []))
  })
  expect(found).toEqual(otherIds)
})

const pathsOf = (members: readonly MemberOutline[], above = ''): string[] =>
  members.flatMap(({ name, members: inner }) => (inner.length === 0 ? [`${above}${name}`] : pathsOf(inner, `${above}${name}.`)))

test('what becomes of an id in an answer whose server or site is out of sight', () => {
  const declared = operations.flatMap(({ id, answer }) =>
    filteredIds(answer).map(({ path, kind, filter }) => `${id} ${path.join('.')}: ${kind}, ${filter}`),
  )
  expect(declared).toEqual([
    'servers.list items.id: server, item',
    'servers.create items.id: server, target',
    'sites.list items.id: site, item',
    'sites.list items.server: server, member',
    'sites.create id: site, target',
  ])
})

test('no list of servers, sites or connections is without a mark: grants could not filter it', () => {
  expect(unmarkedLists(operations)).toEqual([])
  expect(unmarkedLists([{ ...contract.servers.list, answer: contract.mail.list.answer }])).toEqual(['servers.list'])
})

test('only a change can be undone', () => {
  expect(idsOf(({ undoable, effect }) => undoable && effect !== 'change')).toEqual([])
  expect(idsOf(({ undoable }) => undoable)).toEqual([
    'cron.save',
    'cron.delete',
    'firewall.toggle',
    'firewall.saveRule',
    'firewall.deleteRule',
    'sites.configure',
    'sftp.save',
    'sftp.delete',
    'ssl.set',
    'aliases.delete',
    'email.set',
    'email.save',
    'email.delete',
  ])
})
