'use client'

import { type AccessDraft, type HolderChoice, scopesOf } from '@/app/_shared/access/draft'
import { Check } from '@/app/_shared/access/what-fields'
import type { Givable, HeldAccess } from '@/lib/portal/subjects/lending/givable'
import type { NamedScope } from '@/lib/text/access'

export type BorrowerChoice = HolderChoice & { givable: Givable }

type AlsoAccessProps = {
  borrower: BorrowerChoice
  who: string
  draft: AccessDraft
  until: string | null
  /** As chosen; null: as proposed. */
  chosen: boolean | null
  onChange: (chosen: boolean) => void
}

/** Whether the loan comes with access to the same, which is proposed to give those who have none of it; or who can give it. */
export function AlsoAccess({ borrower, who, draft, until, chosen, onChange }: AlsoAccessProps) {
  const { givable } = borrower
  if ('refusal' in givable) return <p className="text-small text-muted">This loan gives no access. {givable.refusal}</p>
  const has = givable.has.every((held) => hasAlready(held, draft, until))
  const gives = chosen ?? givable.has.every((held) => lacksAll(held, draft))
  return (
    <div>
      <input type="hidden" name="access" value={gives ? '1' : ''} />
      <Check label="Also give access to the same" checked={gives} onToggle={() => onChange(!gives)} />
      <p className="text-small wrap-anywhere text-muted" aria-live="polite">
        {gives
          ? `${who} also gets access to the same for the same time. It counts through other connections too, and stays if only the loan ends.`
          : has
            ? `${who} has access to this already.`
            : `${who} may lack access to some of this. The connection counts only as far as their access includes it.`}
      </p>
    </div>
  )
}

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
