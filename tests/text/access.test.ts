/** What access is over, in words. */
import { expect, test } from 'vitest'
import { formatScopes, type NamedScope } from '@/lib/text/access'

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
