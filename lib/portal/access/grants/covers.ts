/** Whether a right includes all that a grant would give: nobody but an owner gives more than they have. Pure. */
import 'server-only'
import { operations } from '@/lib/contract'
import { isAbout, isAllowed, type Right, reaches } from './compile'
import type { Grant, Place } from './grant'
import { needOf } from './needs'

/** serverOf: the server of each site that the grant names. A label may be put on more, so it takes a right over everything. */
export function covers(right: Right, grant: Omit<Grant, 'id'>, serverOf: ReadonlyMap<string, string | null>): boolean {
  const places = grant.scopes.map((scope): Place => {
    if (scope.kind === 'server') return { kind: 'server', serverId: scope.id }
    if (scope.kind === 'site') return { kind: 'site', siteId: scope.id, serverId: serverOf.get(scope.id) ?? null }
    return { kind: 'everywhere' }
  })
  return places.every((place) => coversAt(right, grant, place))
}

function coversAt(right: Right, { subjects, effects, operations: ids, root }: Omit<Grant, 'id'>, place: Place): boolean {
  const named = subjects === 'all' ? subjects : new Set(subjects)
  const given = operations
    .map(needOf)
    .filter((need) => ids.includes(need.id) || (effects.includes(need.effect) && (named === 'all' || isAbout(need, named))))
    .filter((need) => root || !need.root)
  if (!given.every((need) => isAllowed(right, need, place))) return false
  // Later versions add subjects, which only a right over all of them includes.
  return subjects !== 'all' || right.rules.some((rule) => rule.subjects === 'all' && reaches(rule, place))
}
