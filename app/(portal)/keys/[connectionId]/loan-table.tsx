'use client'

import { useState } from 'react'
import { Check } from '@/app/_shared/access/access-fields'
import { AccessSentence, maxNamed, useUntil } from '@/app/_shared/access/access-sentence'
import { EndsAt, Planned } from '@/app/_shared/access/access-table'
import { useRowDialog } from '@/app/_shared/dialogs/dialog-button'
import { ActionForm } from '@/app/_shared/forms/action-form'
import { StepUpField } from '@/app/_shared/session/step-up-field'
import { Dialog, FormButtons } from '@/app/_ui/dialog'
import { MenuItem } from '@/app/_ui/menu'
import { RelativeTime } from '@/app/_ui/relative-time'
import { Card } from '@/app/_ui/section'
import { StateChip } from '@/app/_ui/state-chip'
import type { Column, RowMenu } from '@/app/_ui/table/column'
import { Table } from '@/app/_ui/table/table'
import { toast } from '@/app/_ui/toast'
import type { LoanView } from '@/lib/portal/subjects/lending/view'
import { formatAccess } from '@/lib/text/access'
import { endLoan } from '../actions'
import { LoanDialog, nameOfBorrower } from './loan-dialog'

type LoanTableProps = { loans: readonly LoanView[]; labels: readonly string[]; mayChange: boolean; mayEnd: boolean }

const menuIdOf = (id: string): string => `loan-${id}`

/** One row per loan, which is changed, extended and ended from its menu. */
export function LoanTable({ loans, labels, mayChange, mayEnd }: LoanTableProps) {
  const { opened, open, ways } = useRowDialog<{ dialog: 'change' | 'end'; loan: LoanView }>(({ loan }) => menuIdOf(loan.id))
  if (loans.length === 0) {
    const next = mayChange ? ' Lend it to choose who can use it, for what and until when.' : ''
    return <Card className="px-4 py-3 text-muted">Lent to nobody.{next}</Card>
  }
  const menu: RowMenu<LoanView> = {
    label: (loan) => `Actions for ${nameOfBorrower(loan)}`,
    buttonId: ({ id }) => menuIdOf(id),
    items: (loan) => (
      <>
        {mayChange ? (
          <MenuItem onSelect={() => open({ dialog: 'change', loan })}>
            {loan.state === 'ended' ? 'Lend again' : 'Change or extend'}
          </MenuItem>
        ) : null}
        {mayEnd && loan.state !== 'ended' ? (
          <MenuItem danger onSelect={() => open({ dialog: 'end', loan })}>
            End loan
          </MenuItem>
        ) : null}
      </>
    ),
  }
  return (
    <>
      <Table label="Loans" columns={columns} rows={loans} {...((mayChange || mayEnd) && { menu })} />
      {opened?.dialog === 'change' ? <LoanDialog loan={opened.loan} connectionId="" borrowers={[]} labels={labels} {...ways} /> : null}
      {opened?.dialog === 'end' ? <EndLoanDialog loan={opened.loan} {...ways} /> : null}
    </>
  )
}

const What = ({ loan: { scopes, why, ...given } }: { loan: LoanView }) => (
  <>
    <AccessSentence start="To" given={given} scopes={scopes} />
    {why === '' ? null : <span className="block text-small wrap-anywhere text-muted">{why}</span>}
  </>
)

const Until = ({ loan: { from, until, state } }: { loan: LoanView }) => {
  const format = useUntil()
  if (state === 'ended') return <StateChip tone="neutral" label="Ended" />
  const end = until === null ? <span className="text-muted">No end</span> : <EndsAt at={until} title={format(until)} />
  return state === 'planned' ? <Planned from={from} end={end} /> : end
}

const columns: readonly Column<LoanView>[] = [
  {
    id: 'who',
    label: 'Who',
    minWidth: 180,
    main: true,
    grows: true,
    cell: (loan) => <span className="font-semibold wrap-anywhere">{nameOfBorrower(loan)}</span>,
  },
  {
    id: 'what',
    label: 'What',
    minWidth: 280,
    grows: true,
    leaves: 3,
    cell: (loan) => <What loan={loan} />,
    folded: (loan) => <What loan={loan} />,
  },
  {
    id: 'until',
    label: 'Ends',
    minWidth: 130,
    leaves: 2,
    cell: (loan) => <Until loan={loan} />,
    folded: (loan) => (
      <span className="text-small text-muted">
        {loan.state === 'valid' && loan.until !== null ? 'ends ' : null}
        <Until loan={loan} />
      </span>
    ),
  },
  {
    id: 'since',
    label: 'Since',
    minWidth: 130,
    leaves: 1,
    className: 'text-muted',
    // What has not begun says when it does in the column before.
    cell: ({ from, state }) => (state === 'planned' ? null : <RelativeTime at={from} />),
    folded: ({ from, state }) =>
      state === 'planned' ? null : (
        <span className="text-small text-muted">
          lent <RelativeTime at={from} />
        </span>
      ),
  },
]

type EndLoanDialogProps = { loan: LoanView; onClose: () => void; onDone: () => void }

/** Says that access stays, and offers to end what gives the same. */
function EndLoanDialog({ loan, onClose, onDone }: EndLoanDialogProps) {
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
