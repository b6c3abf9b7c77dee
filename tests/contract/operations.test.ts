import { expect, test } from 'vitest'
import { findOperation, interfaceOperations as operations } from '@/lib/contract/index'
import { changesSomething } from '@/lib/contract/policy'
import { law } from './law'

test('the contract is the law: 48 operations, each with its method, path and fields', () => {
  const written = operations.map(({ id, method, path, fields }) => [
    id,
    method,
    path,
    Object.entries(fields).flatMap(([name, field]) => (field.extension ? [] : [name])),
  ])
  expect(operations).toHaveLength(48)
  expect(written.toSorted()).toEqual(law.toSorted())
})

test('an operation is found by its id, and nothing by another', () => {
  for (const operation of operations) expect(findOperation(operation.id)).toBe(operation)
  expect(findOperation('servers.format')).toBeUndefined()
  expect(findOperation('__proto__')).toBeUndefined()
})

test('what changes by GET is never marked as a read', () => {
  const changing = operations.filter((each) => each.method === 'GET' && changesSomething(each)).map(({ id }) => id)
  expect(changing.toSorted()).toEqual(['apps.install', 'backups.create', 'servers.delete', 'servers.install', 'sites.delete'])
})

test('operations that take long are slow, and one of them is a stream', () => {
  const slow = operations.filter(({ pace }) => pace === 'slow').map(({ id }) => id)
  expect(slow.toSorted()).toEqual([
    'aliases.delete',
    'aliases.save',
    'apps.install',
    'apps.pull',
    'apps.push',
    'backups.create',
    'backups.restore',
    'email.set',
    'servers.install',
    'sites.create',
    'sites.delete',
    'sites.download',
    'ssl.set',
  ])
  // The page of a job tells by the path whether the work is about a site.
  expect(operations.filter(({ id, path }) => slow.includes(id) && !path.startsWith('/sites')).map(({ id }) => id)).toEqual([
    'servers.install',
  ])
  expect(operations.filter(({ stream }) => stream).map(({ id }) => id)).toEqual(['servers.install'])
})

test('every password is a secret', () => {
  const named = operations.flatMap(({ fields }) => Object.entries(fields)).filter(([name]) => /^pass/.test(name))
  expect(named.length).toBeGreaterThan(5)
  for (const [, field] of named) expect(field.kind).toBe('secret')
})

test('every operation says in one sentence what it does', () => {
  for (const { description } of operations) expect(description).toMatch(/^[A-Z][^.]+\.$/)
})
