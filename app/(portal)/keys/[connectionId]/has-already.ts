import { type AccessDraft, scopesOf } from '@/app/_shared/access/draft'
import type { HeldAccess } from '@/lib/portal/subjects/lending/givable'
import type { NamedScope } from '@/lib/text/access'

/**
 * Whether one access of a borrower includes what is chosen, by names, for as long; for what the dialog proposes. until: ISO; null: no end.
 */
export function hasAlready(has: readonly HeldAccess[], draft: AccessDraft, until: string | null): boolean {
  const wanted = scopesOf(draft, undefined)
  return has.some(
    (held) =>
      includesAll(held.subjects, draft.subjects) &&
      includesAll(held.effects, draft.effects) &&
      (held.root || !draft.root) &&
      wanted.every((scope) => held.scopes.some((each) => isWithin(scope, each))) &&
      (held.until === null || (until !== null && until <= held.until)),
  )
}

/**
 * Whether no access of a borrower may include a part of what is chosen, at whatever time. By names alone a server may have any site that is
 * typed, and a label may be on anything.
 */
export function lacksAll(has: readonly HeldAccess[], draft: AccessDraft): boolean {
  const wanted = scopesOf(draft, undefined)
  return !has.some(
    (held) =>
      includesSome(held.subjects, draft.subjects) &&
      includesSome(held.effects, draft.effects) &&
      wanted.some((scope) => held.scopes.some((each) => mayOverlap(scope, each))),
  )
}

const includesSome = (held: 'all' | readonly string[], wanted: 'all' | readonly string[]): boolean =>
  held === 'all' || wanted === 'all' || wanted.some((each) => held.includes(each))

/** Only two names of which the held one is a site's are known to be apart. */
const mayOverlap = (wanted: NamedScope, held: NamedScope): boolean =>
  held.kind !== 'site' || held.name === null || wanted.kind === 'everything' || wanted.kind === 'label' || isWithin(wanted, held)

const includesAll = (held: 'all' | readonly string[], wanted: 'all' | readonly string[]): boolean =>
  held === 'all' || (wanted !== 'all' && wanted.every((each) => held.includes(each)))

/** What is typed may be a server or a site. */
function isWithin(wanted: NamedScope, held: NamedScope): boolean {
  if (held.kind === 'everything') return true
  if (wanted.kind === 'everything' || held.name === null || wanted.name === null) return false
  return (wanted.kind === 'label') === (held.kind === 'label') && wanted.name.toLowerCase() === held.name.toLowerCase()
}
