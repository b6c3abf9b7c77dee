/** Whether two grants, or a loan and a grant, are the same but for when they begin and end. Pure. */
import 'server-only'
import type { Grant, GrantScope } from '@/lib/portal/access/grants/grant'

/** To the same holder, for the same work at the same places; whenever they end. */
export const givesSame = (one: Grant, other: Grant): boolean => keyOf(one) === keyOf(other)

export const hasSameScopes = (one: readonly GrantScope[], other: readonly GrantScope[]): boolean =>
  JSON.stringify(sayScopes(one)) === JSON.stringify(sayScopes(other))

const keyOf = ({ userId, role, subjects, effects, operations, root, scopes }: Grant): string =>
  JSON.stringify([
    userId ?? role,
    subjects === 'all' ? subjects : [...subjects].sort(),
    [...effects].sort(),
    [...operations].sort(),
    root,
    sayScopes(scopes),
  ])

const sayScopes = (scopes: readonly GrantScope[]): string[] => scopes.map(sayScope).sort()

const sayScope = (scope: GrantScope): string =>
  scope.kind === 'everything' ? scope.kind : `${scope.kind} ${scope.kind === 'label' ? scope.name : scope.id}`
