/** What access is over, in words. */
import { expect, test } from 'vitest'
import { accessEffects, formatAccess, formatEffects, formatScopes, formatWork, type NamedScope } from '@/lib/text/access'

const site = (name: string | null): NamedScope => ({ kind: 'site', name })

test('all servers and sites are named, or so many as there is room for and the number of the others', () => {
  const scopes = [site('a.example'), { kind: 'label', name: 'client' } as const, site('b.example'), site('c.example'), site('d.example')]
  expect(formatScopes(scopes)).toBe('a.example, everything labelled “client”, b.example, c.example and d.example')
  expect(formatScopes(scopes, 3)).toBe('a.example, everything labelled “client”, b.example and 2 more')
  expect(formatScopes(scopes.slice(0, 3), 3)).toBe('a.example, everything labelled “client” and b.example')
  expect(formatScopes([...scopes, site(null)], 3)).toBe(
    'a.example, everything labelled “client”, b.example, 2 more and 1 more that you cannot see',
  )
  expect(formatScopes([], 3)).toBe('nothing that is still there')
})

const work = { subjects: ['logs'], effects: ['read'], operations: [], root: false }

test('what amounts to root follows the servers and sites, so that it does not read as theirs, and the period follows that', () => {
  expect(formatAccess(work, [site('a.example')], { period: 'until Friday' })).toBe('view the logs of a.example until Friday')
  const root = { ...work, root: true }
  expect(formatAccess(root, [site('a.example')])).toBe('view the logs of a.example, including what amounts to root')
  expect(formatAccess(root, [site('a.example')], { period: 'until Friday' })).toBe(
    'view the logs of a.example, including what amounts to root, until Friday',
  )
  const all = { ...root, subjects: 'all' as const, effects: ['read', 'export', 'change', 'destroy'] }
  expect(formatAccess(all, [{ kind: 'everything' }])).toBe('do everything on all servers and sites')
  expect(formatWork(root)).toBe('view the logs, including what amounts to root')
})

test('deleting and overwriting are two verbs of a sentence, and one choice', () => {
  expect(formatWork({ ...work, effects: ['destroy', 'read'] })).toBe('view, delete and overwrite the logs')
  expect(formatEffects(['change', 'destroy'], 'or')).toBe('change, delete or overwrite')
  expect(accessEffects.destroy).toBe('delete and overwrite')
})
