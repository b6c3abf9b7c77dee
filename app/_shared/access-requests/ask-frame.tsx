'use client'

import { type ReactNode, useMemo, useState } from 'react'
import { announce } from '@/app/_ui/announcer'
import { Card } from '@/app/_ui/section'
import type { AskableAt } from '@/lib/portal/subjects/team/requests/askable'
import type { AccessRequests } from '@/lib/portal/subjects/team/requests/list'
import { useDrawnNow } from '../../_ui/clock'
import { EarlyButton } from '../../_ui/early-button'
import { lazyComponent } from '../../_ui/lazy'
import type { AccessPlace } from '../access/draft'
import { AskContext } from './ask-context'
import { OpenRequest } from './open-request'
import { formatAnswer } from './request-words'
import { useAccessRequests, useAnswers } from './use-access-requests'

// Lazy, so that pages on which nobody asks load no form.
const AskDialog = lazyComponent(() => import('./ask-dialog').then((file) => file.AskDialog))

type AskFrameProps = Pick<AskableAt, 'choices' | 'ceiling'> & {
  place: AccessPlace
  /** What the page needs first: a choice's id. */
  what: string
  first: AccessRequests
  children: ReactNode
}

const shownMs = 86_400_000
const idleMs = 600_000

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
