'use client'

import { HandHelping } from 'lucide-react'
import { useState } from 'react'
import { HolderField } from '@/app/_shared/access/access-dialog'
import { Check, PeriodFields, usePeriodFields, WhatFields, WhereFields } from '@/app/_shared/access/access-fields'
import { usePeriod } from '@/app/_shared/access/access-sentence'
import { type AccessDraft, draftOf, type HolderChoice, scopesOf, workOfDraft } from '@/app/_shared/access/draft'
import { DialogButton } from '@/app/_shared/dialogs/dialog-button'
import { ActionForm } from '@/app/_shared/forms/action-form'
import { StepUpField } from '@/app/_shared/session/step-up-field'
import { Dialog, FormButtons } from '@/app/_ui/dialog'
import { Field } from '@/app/_ui/field'
import { Input } from '@/app/_ui/input'
import { toast } from '@/app/_ui/toast'
import type { Givable, HeldAccess } from '@/lib/portal/subjects/lending/givable'
import type { LoanView } from '@/lib/portal/subjects/lending/view'
import { formatAccess, type NamedScope } from '@/lib/text/access'
import { changeLoan, lendConnection } from '../actions'

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
function AlsoAccess({ borrower, who, draft, until, chosen, onChange }: AlsoAccessProps) {
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

/** "Ana", "Everyone with the role Operator", "The whole team". */
export function nameOfBorrower({ to }: Pick<LoanView, 'to'>): string {
  if (to.kind === 'team') return 'The whole team'
  return to.kind === 'member' ? to.name : `Everyone with the role ${to.role.charAt(0).toUpperCase()}${to.role.slice(1)}`
}

type LoanDialogProps = {
  /** The loan to change; absent to lend. */
  loan?: LoanView
  connectionId: string
  borrowers: readonly BorrowerChoice[]
  labels: readonly string[]
  onClose: () => void
  onDone: () => void
}

/** To whom, for what, where and until when. A sentence says what that means before anything is saved. */
export function LoanDialog({ loan, connectionId, borrowers, labels, onClose, onDone }: LoanDialogProps) {
  const format = usePeriod()
  const { period, setPeriod, chosen } = usePeriodFields(loan)
  const [to, setTo] = useState(borrowers[0]?.value ?? '')
  const [draft, setDraft] = useState<AccessDraft>(() => draftOf(loan, undefined))
  const [access, setAccess] = useState<boolean | null>(null)
  const change = (part: Partial<AccessDraft>) => setDraft((now) => ({ ...now, ...part }))
  const chosenBorrower = borrowers.find(({ value }) => value === to)
  const who = loan ? nameOfBorrower(loan) : (chosenBorrower?.said ?? chosenBorrower?.name ?? '')
  const when = format(chosen.from, chosen.until)
  const done = () => {
    toast(loan ? 'The loan was changed.' : 'The connection was lent.')
    onDone()
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={loan ? 'Change loan' : 'Lend connection'}
      description={<p>It counts as far as their access includes it. You see each use.{loan ? ' Their access stays as it is.' : ''}</p>}
    >
      <ActionForm action={loan ? changeLoan : lendConnection} onDone={done} className="mt-4 flex flex-col gap-4">
        {(pending) => (
          <>
            {loan ? (
              <input type="hidden" name="loanId" value={loan.id} />
            ) : (
              <>
                <input type="hidden" name="connectionId" value={connectionId} />
                <HolderField label="To" holders={borrowers} value={to} onChange={setTo} />
              </>
            )}
            <WhatFields draft={draft} onChange={change} />
            <WhereFields draft={draft} onChange={change} place={undefined} labels={labels} />
            <PeriodFields period={period} chosen={chosen} onChange={setPeriod} />
            <Field name="why" label="Reason" optional>
              {(control) => <Input defaultValue={loan?.why} {...control} maxLength={200} autoComplete="off" />}
            </Field>
            <p className="rounded-sheet bg-accent-soft px-3.5 py-2.5 wrap-anywhere" aria-live="polite">
              {who} can use this connection to {formatAccess(workOfDraft(draft), scopesOf(draft, undefined), { period: when })}, and never
              sees its key.
            </p>
            {chosenBorrower ? (
              <AlsoAccess borrower={chosenBorrower} who={who} draft={draft} until={chosen.until} chosen={access} onChange={setAccess} />
            ) : null}
            <StepUpField />
            <FormButtons label={loan ? 'Save' : 'Lend'} busy="Saving…" pending={pending} onCancel={onClose} />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}

type LendProps = { connectionId: string; borrowers: readonly BorrowerChoice[]; labels: readonly string[] }

export const Lend = (given: LendProps) => (
  <DialogButton icon={HandHelping} label="Lend" dialog={(ways) => <LoanDialog {...given} {...ways} />} />
)
