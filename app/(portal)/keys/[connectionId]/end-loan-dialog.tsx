'use client'

import { useState } from 'react'
import { maxNamed } from '@/app/_shared/access/access-sentence'
import { Check } from '@/app/_shared/access/what-fields'
import { ActionForm } from '@/app/_shared/forms/action-form'
import { StepUpField } from '@/app/_shared/session/step-up-field'
import { Dialog, FormButtons } from '@/app/_ui/dialog'
import { toast } from '@/app/_ui/toast'
import type { LoanView } from '@/lib/portal/subjects/lending/view'
import { formatAccess } from '@/lib/text/access'
import { endLoan } from '../actions'
import { nameOfBorrower } from './loan-words'

type EndLoanDialogProps = { loan: LoanView; onClose: () => void; onDone: () => void }

/** Says that access stays, and offers to end what gives the same. */
export function EndLoanDialog({ loan, onClose, onDone }: EndLoanDialogProps) {
  const [both, setBoth] = useState(false)
  const who = nameOfBorrower(loan)
  const done = () => {
    toast(both ? 'The loan and the access were ended.' : 'The loan was ended.')
    onDone()
  }
  const stays = loan.accessEndable
    ? `The access to ${formatAccess(loan, loan.scopes, { most: maxNamed })} stays, and counts through other connections.`
    : 'Access stays as it is. A team owner or admin can end it on the page Team.'
  const undo = 'Activity can undo the end of the access, but not that of the loan.'
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="End loan"
      description={
        <p className="wrap-anywhere">
          {who} can no longer use this connection, in open pages too. Running jobs continue. {both ? undo : stays}
        </p>
      }
    >
      <ActionForm action={endLoan} onDone={done} className="mt-4 flex flex-col gap-4">
        {(pending) => (
          <>
            <input type="hidden" name="loanId" value={loan.id} />
            {loan.accessEndable ? (
              <>
                <input type="hidden" name="access" value={both ? '1' : ''} />
                <Check label="Also end the access to the same" checked={both} onToggle={() => setBoth(!both)} />
              </>
            ) : null}
            <StepUpField />
            <FormButtons label="End loan" danger pending={pending} onCancel={onClose} />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}
