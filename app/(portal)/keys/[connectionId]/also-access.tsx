'use client'

import type { AccessDraft, HolderChoice } from '@/app/_shared/access/draft'
import { Check } from '@/app/_shared/access/what-fields'
import type { Givable } from '@/lib/portal/subjects/lending/givable'
import { hasAlready, lacksAll } from './has-already'

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
