'use client'

import { useState } from 'react'
import { AccessDialog } from '@/app/_shared/access/access-dialog'
import { useAccessRequests } from '@/app/_shared/access-requests/use-access-requests'
import { ReadError } from '@/app/_shared/reads/read-error'
import { Card } from '@/app/_ui/card'
import { EmptyState } from '@/app/_ui/empty-state'
import { PageBody, PageHead } from '@/app/_ui/page-head'
import { Section } from '@/app/_ui/section'
import type { AccessRequests, AccessRequestView } from '@/lib/portal/subjects/team/requests/list'
import { mostWaiting } from '@/lib/text/access-requests'
import { RefuseDialog } from './refuse-dialog'
import { RequestLine } from './request-line'

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
