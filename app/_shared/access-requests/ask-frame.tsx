'use client'

import { type ReactNode, useMemo, useState } from 'react'
import { announce } from '@/app/_ui/announcer'
import { Card } from '@/app/_ui/section'
import type { AskableAt } from '@/lib/portal/subjects/team/requests/askable'
import type { AccessRequests, AccessRequestView } from '@/lib/portal/subjects/team/requests/list'
import { Button } from '../../_ui/button'
import { useDrawnNow } from '../../_ui/clock'
import { EarlyButton } from '../../_ui/early-button'
import { lazyComponent } from '../../_ui/lazy'
import { RelativeTime } from '../../_ui/relative-time'
import { toast } from '../../_ui/toast'
import type { AccessPlace } from '../access/draft'
import { callAction, formatReason } from '../forms/call-action'
import { withdrawRequest } from './actions'
import { AskContext } from './ask-context'
import { accessRequestsAddress, formatAnswer, formatAsked, useAccessRequests, useAnswers } from './requests'

/** A request of the reader’s own that nobody has answered, which they can withdraw. */
function OpenRequest({ request }: { request: AccessRequestView }) {
  const [refusal, setRefusal] = useState('')
  const [pending, setPending] = useState(false)
  async function withdraw() {
    setPending(true)
    const answer = await callAction(withdrawRequest, { accessRequestId: request.id }, { refetch: [accessRequestsAddress] })
    setPending(false)
    setRefusal(answer.ok ? '' : formatReason(answer.problem))
  }
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <p className="min-w-0 flex-1 basis-64 wrap-anywhere">
        You asked to {formatAsked(request)}, <RelativeTime at={request.at} />. Nobody has answered yet.
        {refusal === '' ? null : (
          <span role="alert" className="block text-danger">
            {refusal}
          </span>
        )}
      </p>
      <Button variant="ghost" disabled={pending} onClick={() => void withdraw()}>
        Withdraw
      </Button>
    </div>
  )
}

// Lazy, so that pages on which nobody asks load no form.
const WordsDialog = lazyComponent(() => import('./request-form').then((file) => file.WordsDialog))

const shownMs = 86_400_000
const idleMs = 600_000

/** An approval may fill the list, and then nothing of this is left to be read or announced. */
function say(sentence: string): void {
  announce(sentence)
  toast(sentence)
}

/** The button and its form, what waits for an answer, and the newest answer, which is also a toast. */
export function AskInWordsHere({ first }: { first: AccessRequests }) {
  const { data } = useAccessRequests(first, idleMs)
  const now = useDrawnNow(60_000)
  const [asking, setAsking] = useState(false)
  const own = useMemo(() => (data?.own ?? []).filter(({ place }) => place === null), [data])
  useAnswers(own, say)
  const open = own.filter(({ state }) => state === 'open')
  const past = own.find(({ answeredAt }) => answeredAt !== null && now - Date.parse(answeredAt) < shownMs)
  const answer = past ? formatAnswer(past) : ''
  return (
    <div className="mt-2 flex flex-col items-start gap-2 text-ink">
      {open.map((request) => (
        <OpenRequest key={request.id} request={request} />
      ))}
      {answer === '' ? null : <p className="wrap-anywhere">{answer}</p>}
      {open.length === 0 ? <EarlyButton onClick={() => setAsking(true)}>Ask for access</EarlyButton> : null}
      {asking ? <WordsDialog onClose={() => setAsking(false)} /> : null}
    </div>
  )
}

// Lazy, so that pages on which nobody asks load no form.
const AskDialog = lazyComponent(() => import('./request-form').then((file) => file.AskDialog))

type AskFrameProps = Pick<AskableAt, 'choices' | 'ceiling'> & {
  place: AccessPlace
  /** What the page needs first: a choice's id. */
  what: string
  first: AccessRequests
  children: ReactNode
}

/** Around the content of a page of a server or site: below it, what is missing can be asked for, and the answer appears. */
export function AskFrame({ place, choices, ceiling, what, first, children }: AskFrameProps) {
  const { data } = useAccessRequests(first, idleMs)
  const now = useDrawnNow(60_000)
  const [asking, setAsking] = useState<string | null>(null)
  const own = useMemo(() => (data?.own ?? []).filter((request) => request.place?.id === place.id), [data, place.id])
  useAnswers(own, announce)
  const open = own.filter(({ state }) => state === 'open')
  const past = own.find(({ answeredAt }) => answeredAt !== null && now - Date.parse(answeredAt) < shownMs)
  const ask = useMemo(() => (choices.length === 0 ? null : { open: setAsking, choices: new Set(choices.map(({ id }) => id)) }), [choices])
  const answer = past ? formatAnswer(past) : ''
  const isEmpty = choices.length === 0 && ceiling === '' && open.length === 0 && answer === ''
  return (
    <AskContext value={ask}>
      {children}
      {isEmpty ? null : (
        <Card className="flex flex-col gap-2 px-4 py-3">
          {open.map((request) => (
            <OpenRequest key={request.id} request={request} />
          ))}
          {answer === '' ? null : <p className="wrap-anywhere">{answer}</p>}
          {ask || ceiling === '' ? (
            <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
              <p className="min-w-0 flex-1 basis-64 text-muted">Something is missing here? An owner or admin can give you access to it.</p>
              {ask ? <EarlyButton onClick={() => setAsking('')}>Ask for access</EarlyButton> : null}
            </div>
          ) : null}
          {ceiling === '' ? null : <p className="text-muted">{ceiling}</p>}
        </Card>
      )}
      {asking === null ? null : (
        <AskDialog place={place} choices={choices} what={asking || what} ceiling={ceiling} onClose={() => setAsking(null)} />
      )}
    </AskContext>
  )
}
