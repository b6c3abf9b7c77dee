'use client'

import { useState } from 'react'
import { AccessDialog } from '@/app/_shared/access/access-dialog'
import { refuseRequest } from '@/app/_shared/access-requests/actions'
import { formatAsked, formatLenders, nameOfRequest, stateWords, useAccessRequests } from '@/app/_shared/access-requests/requests'
import { ActionForm } from '@/app/_shared/forms/action-form'
import { ReadError } from '@/app/_shared/reads/read-error'
import { Dialog, FormButtons } from '@/app/_ui/dialog'
import { EarlyButton } from '@/app/_ui/early-button'
import { EmptyState } from '@/app/_ui/empty-state'
import { Field } from '@/app/_ui/field'
import { Input } from '@/app/_ui/input'
import { PageBody, PageHead } from '@/app/_ui/page-head'
import { Link } from '@/app/_ui/page-link'
import { RelativeTime } from '@/app/_ui/relative-time'
import { Card, Section } from '@/app/_ui/section'
import { StateChip } from '@/app/_ui/state-chip'
import { toast } from '@/app/_ui/toast'
import type { AccessRequests, AccessRequestView } from '@/lib/portal/subjects/team/requests/list'
import { mostWaiting } from '@/lib/text/access-requests'

type RequestsViewProps = {
  first: AccessRequests
  labels: readonly string[]
  /** Whether the reader can answer any. */
  answers: boolean
}

const idleMs = 10_000

/** Waiting ones first, then what became of the others, and the reader’s own. */
export function RequestsView({ first, labels, answers }: RequestsViewProps) {
  const read = useAccessRequests(first, idleMs)
  const [open, setOpen] = useState<{ dialog: 'approve' | 'refuse'; request: AccessRequestView } | null>(null)
  const { own, others } = read.data ?? first
  const waiting = others.filter(({ answerable }) => answerable)
  const past = others.filter(({ answerable }) => !answerable)
  const close = () => setOpen(null)
  const done = () => {
    close()
    read.again()
  }
  return (
    <>
      <PageHead trail={[{ href: '/team', name: 'Team' }]} title="Access requests" />
      <PageBody>
        <ReadError read={read} />
        {answers ? (
          <Section title="Waiting for an answer" count={waiting.length}>
            <Lines
              requests={waiting}
              none="Nobody waits for an answer. What members ask for appears here and in the bell."
              onOpen={(dialog, request) => setOpen({ dialog, request })}
            />
            {waiting.length >= mostWaiting ? (
              <p className="text-small text-muted">The newest {mostWaiting} are shown. Older ones appear as these are answered.</p>
            ) : null}
          </Section>
        ) : null}
        {past.length > 0 ? (
          <Section title="Answered">
            <Lines requests={past} none="" />
          </Section>
        ) : null}
        {own.length > 0 || !answers ? (
          <Section title="Your own">
            <Lines
              requests={own}
              own
              none="You have asked for nothing in the last 30 days. Ask at the bottom of the page of a server or site, or where a list is empty."
            />
          </Section>
        ) : null}
      </PageBody>
      {open?.dialog === 'approve' ? <Approve request={open.request} labels={labels} onClose={close} onDone={done} /> : null}
      {open?.dialog === 'refuse' ? <RefuseDialog request={open.request} onClose={close} onDone={done} /> : null}
    </>
  )
}

type LinesProps = {
  requests: readonly AccessRequestView[]
  own?: boolean
  none: string
  onOpen?: (dialog: 'approve' | 'refuse', request: AccessRequestView) => void
}

const Lines = ({ requests, own = false, none, onOpen }: LinesProps) => (
  <Card>
    {requests.length === 0 ? (
      <EmptyState title="No requests">
        <p>{none}</p>
      </EmptyState>
    ) : (
      <ul className="divide-y divide-line">
        {requests.map((request) => (
          <RequestLine key={request.id} request={request} own={own} {...(onOpen && { onOpen })} />
        ))}
      </ul>
    )}
  </Card>
)

type ApproveProps = { request: AccessRequestView; labels: readonly string[]; onClose: () => void; onDone: () => void }

function Approve({ request, labels, onClose, onDone }: ApproveProps) {
  const asked = request.place
  const place = asked === null || asked.name === null ? null : { ...asked, name: asked.name }
  return <AccessDialog request={request} holders={[]} {...(place && { place })} labels={labels} onClose={onClose} onDone={onDone} />
}

function RefuseDialog({ request, onClose, onDone }: { request: AccessRequestView; onClose: () => void; onDone: () => void }) {
  const done = () => {
    toast('The request was refused.')
    onDone()
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Refuse access"
      firstField="reason"
      description={
        <p className="wrap-anywhere">
          {request.asker.name} asks to {formatAsked(request)}. They read the reason.
        </p>
      }
    >
      <ActionForm action={refuseRequest} onDone={done} className="mt-4 flex flex-col gap-4">
        {(pending) => (
          <>
            <input type="hidden" name="accessRequestId" value={request.id} />
            <Field name="reason" label="Reason">
              {(control) => <Input {...control} required maxLength={200} autoComplete="off" />}
            </Field>
            <FormButtons label="Refuse" danger pending={pending} onCancel={onClose} />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}

type RequestLineProps = {
  request: AccessRequestView
  /** Whether it is the reader’s. */
  own: boolean
  /** For one that the reader can answer. */
  onOpen?: (dialog: 'approve' | 'refuse', request: AccessRequestView) => void
}

/** Who asks for what, for how long and why; and the answer, or the buttons for one. */
function RequestLine({ request, own, onOpen }: RequestLineProps) {
  const { asker, why, at, state, answeredAt, answeredBy, reason, answerable, page, place, lenders, lendable } = request
  const { label, tone } = stateWords[state]
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3">
      <div className="min-w-0 flex-1 basis-72">
        <p className="wrap-anywhere">
          <strong className="font-semibold">{own ? 'You' : asker.name}</strong> asked to {formatAsked(request)}.
        </p>
        <p className="text-small wrap-anywhere text-muted">
          {why} · <RelativeTime at={at} />
          {place === null || place.name === null ? null : (
            <>
              {' · '}
              <Link href={page} className="text-accent underline hover:text-accent-hover">
                Open {place.name}
              </Link>
            </>
          )}
        </p>
        {state === 'open' && lenders.length > 0 && !lendable ? (
          <p className="text-small wrap-anywhere text-muted">It can be used once {formatLenders(lenders)} a connection for it.</p>
        ) : null}
        {state === 'open' ? null : (
          <p className="text-small wrap-anywhere text-muted">
            {answeredBy ? `${answeredBy}, ` : null}
            {answeredAt === null ? null : <RelativeTime at={answeredAt} />}
            {reason === '' ? null : `: ${reason}`}
          </p>
        )}
      </div>
      {answerable && onOpen ? (
        <div className="flex gap-2">
          <EarlyButton
            variant="ghost"
            aria-label={`Refuse… ${asker.name}: ${nameOfRequest(request)}`}
            onClick={() => onOpen('refuse', request)}
          >
            Refuse…
          </EarlyButton>
          <EarlyButton aria-label={`Approve… ${asker.name}: ${nameOfRequest(request)}`} onClick={() => onOpen('approve', request)}>
            Approve…
          </EarlyButton>
        </div>
      ) : (
        <StateChip tone={tone} label={label} />
      )}
    </li>
  )
}
