'use client'

import { KeyRound } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import type { AccessView } from '@/lib/portal/subjects/team/access/list'
import type { AccessRequestView } from '@/lib/portal/subjects/team/requests/list'
import { Dialog, FormButtons } from '../../_ui/dialog'
import { Field } from '../../_ui/field'
import { Input } from '../../_ui/input'
import { SearchSelect } from '../../_ui/search-select'
import { approveRequest } from '../access-requests/actions'
import { formatLenders } from '../access-requests/requests'
import { DialogButton } from '../dialogs/dialog-button'
import { ActionForm } from '../forms/action-form'
import { StepUpField } from '../session/step-up-field'
import { showDone } from '../undo/undoable'
import { Check, PeriodFields, usePeriodFields, WhatFields, WhereFields } from './access-fields'
import { formatSentence, nameOfHolder, usePeriod } from './access-sentence'
import { changeAccess, giveAccess } from './actions'
import {
  type AccessDraft,
  type AccessPlace,
  askedTemplateOf,
  draftOf,
  draftOfRequest,
  endOf,
  type HolderChoice,
  scopesOf,
  workOfDraft,
} from './draft'

type AccessDialogProps = {
  /** The access to change; absent to give some. */
  row?: AccessView
  /** The request to approve: what it asks for can be changed. */
  request?: AccessRequestView
  holders: readonly HolderChoice[]
  place?: AccessPlace
  labels: readonly string[]
  onClose: () => void
  onDone: () => void
}

/** What is done with the form, in words. */
const words = {
  give: { action: giveAccess, title: 'Add access', submit: 'Add access', done: 'The access was given.' },
  change: { action: changeAccess, title: 'Change access', submit: 'Save', done: 'The access was changed.' },
  approve: { action: approveRequest, title: 'Approve access', submit: 'Approve', done: 'The access was given.' },
} as const

/** Three choices: what, where and until when. A sentence says what they mean before anything is saved. */
export function AccessDialog({ row, request, holders, place, labels, onClose, onDone }: AccessDialogProps) {
  const format = usePeriod()
  const { period, setPeriod, chosen } = usePeriodFields(request ? { from: '', until: endOf(request), state: 'valid' } : row)
  const [to, setTo] = useState(holders[0]?.value ?? '')
  const [draft, setDraft] = useState<AccessDraft>(() => (request ? draftOfRequest(request, place) : draftOf(row, place)))
  const change = (part: Partial<AccessDraft>) => setDraft((now) => ({ ...now, ...part }))
  const guest = request?.asker.role === 'guest' || (holders.find(({ value }) => value === to)?.guest ?? false)
  const { action, title, submit, done: told } = words[request ? 'approve' : row ? 'change' : 'give']
  const whose = request ? sayRequest(request) : row ? `${nameOfHolder(row)}. ` : ''
  const said = formatSentence({ given: workOfDraft(draft), scopes: scopesOf(draft, place), period: format(chosen.from, chosen.until) })
  const router = useRouter()
  const done = ({ undo }: { undo: string | null }) => {
    const during = (work: () => Promise<void>) => work().then(() => router.refresh())
    showDone(told, undo, { refetch: [], during })
    onDone()
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={title}
      description={<p className="wrap-anywhere">{whose}It counts as far as the role allows it.</p>}
    >
      <ActionForm action={action} onDone={done} className="mt-4 flex flex-col gap-4">
        {(pending) => (
          <>
            {request ? <input type="hidden" name="accessRequestId" value={request.id} /> : null}
            {row ? <input type="hidden" name="grantId" value={row.id} /> : null}
            {row || request ? null : <HolderField label="Who" holders={holders} value={to} onChange={setTo} />}
            <WhatFields draft={draft} onChange={change} {...(request?.place && { asked: askedTemplateOf(request) })} />
            <WhereFields draft={draft} onChange={change} place={place} labels={labels} />
            <PeriodFields period={period} chosen={chosen} onChange={setPeriod} />
            <Field name="why" label="Reason" optional>
              {(control) => <Input defaultValue={request?.why ?? row?.why} {...control} maxLength={200} autoComplete="off" />}
            </Field>
            <p className="rounded-sheet bg-accent-soft px-3.5 py-2.5 wrap-anywhere" aria-live="polite">
              {said}
              {guest ? ', and nothing else but what other access gives.' : '.'}
            </p>
            {request ? <LoanAlong request={request} /> : null}
            <StepUpField />
            <FormButtons label={submit} busy="Saving…" pending={pending} onCancel={onClose} />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}

const sayRequest = ({ asker, place, wanted, why }: AccessRequestView): string =>
  `${asker.name} asks${place === null ? ` for access to “${wanted}”` : ''}: “${why}”. `

/** What an approval takes besides the access: the loan of a connection, which comes along if it is the reader's own, or is left to its owner. */
function LoanAlong({ request: { asker, lenders, lendable } }: { request: AccessRequestView }) {
  const [lends, setLends] = useState(true)
  if (lenders.length === 0) return null
  if (lendable === null)
    return (
      <p className="text-small wrap-anywhere text-warn">
        {asker.name} can use it once {formatLenders(lenders)} a connection for it. No other connection that they can use lists this.
      </p>
    )
  return (
    <div>
      <input type="hidden" name="lend" value={lends ? lendable.id : ''} />
      <Check label={`Also lend your connection “${lendable.label}” for the same`} checked={lends} onToggle={() => setLends(!lends)} />
      <p className="text-small wrap-anywhere text-muted">
        {lends ? `${asker.name} never sees its key, and you see each use.` : `Without that, ${asker.name} cannot use the access.`}
      </p>
    </div>
  )
}

type AddAccessProps = { holders: readonly HolderChoice[]; place?: AccessPlace; labels: readonly string[] }

export const AddAccess = (given: AddAccessProps) => (
  <DialogButton icon={KeyRound} label="Add access" dialog={(ways) => <AccessDialog {...given} {...ways} />} />
)

type HolderFieldProps = { label: string; holders: readonly HolderChoice[]; value: string; onChange: (value: string) => void }

/** To whom something is given; not shown where there is only one. */
export function HolderField({ label, holders, value, onChange }: HolderFieldProps) {
  const [only, ...more] = holders
  if (only && more.length === 0) return <input type="hidden" name="to" value={only.value} />
  return (
    <Field name="to" label={label}>
      {({ defaultValue: _, ...control }) => (
        <SearchSelect
          {...control}
          choices={holders.map((holder) => ({ value: holder.value, label: holder.name }))}
          value={value}
          onChange={onChange}
        />
      )}
    </Field>
  )
}
