'use client'

import { useState } from 'react'
import { HolderField } from '@/app/_shared/access/access-dialog'
import { usePeriod } from '@/app/_shared/access/access-sentence'
import { type AccessDraft, draftOf, scopesOf, workOfDraft } from '@/app/_shared/access/draft'
import { PeriodFields, usePeriodFields } from '@/app/_shared/access/period-fields'
import { WhatFields } from '@/app/_shared/access/what-fields'
import { WhereFields } from '@/app/_shared/access/where-fields'
import { ActionForm } from '@/app/_shared/forms/action-form'
import { StepUpField } from '@/app/_shared/session/step-up-field'
import { Dialog, FormButtons } from '@/app/_ui/dialog'
import { Field } from '@/app/_ui/field'
import { Input } from '@/app/_ui/input'
import { toast } from '@/app/_ui/toast'
import type { LoanView } from '@/lib/portal/subjects/lending/view'
import { formatAccess } from '@/lib/text/access'
import { changeLoan, lendConnection } from '../actions'
import { AlsoAccess, type BorrowerChoice } from './also-access'
import { nameOfBorrower } from './loan-words'

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
