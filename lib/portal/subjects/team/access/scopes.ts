/** What grants are over, by the names that a reader may see. */
import 'server-only'
import type { GrantScope } from '@/lib/portal/access/grants/grant'
import { findVisibleNames } from '@/lib/portal/access/visible'
import type { Actor } from '@/lib/portal/identity/actor'
import type { NamedScope } from '@/lib/text/access'
import { toReadableDomain } from '@/lib/text/idn'

/** In the order given. A server or site that is gone, or that the reader does not see, has no name. */
export async function nameScopes(reader: Actor, all: readonly (readonly GrantScope[])[]): Promise<NamedScope[][]> {
  const idsOf = (kind: 'server' | 'site') => all.flatMap((scopes) => scopes.flatMap((scope) => (scope.kind === kind ? [scope.id] : [])))
  const [servers, sites] = await Promise.all([
    findVisibleNames(reader, 'server', idsOf('server')),
    findVisibleNames(reader, 'site', idsOf('site')),
  ])
  return all.map((scopes) =>
    scopes.map((scope): NamedScope => {
      if (scope.kind === 'everything' || scope.kind === 'label') return scope
      const name = scope.kind === 'server' ? servers.get(scope.id) : sites.get(scope.id)
      return { kind: scope.kind, name: name === undefined ? null : toReadableDomain(name) }
    }),
  )
}
