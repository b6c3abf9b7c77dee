'use client'

import { useMemo, useState } from 'react'
import { announce } from '@/app/_ui/announcer'
import type { AccessRequests } from '@/lib/portal/subjects/team/requests/list'
import { useDrawnNow } from '../../_ui/clock'
import { EarlyButton } from '../../_ui/early-button'
import { lazyComponent } from '../../_ui/lazy'
import { toast } from '../../_ui/toast'
import { OpenRequest } from './open-request'
import { formatAnswer } from './request-words'
import { useAccessRequests, useAnswers } from './use-access-requests'

// Lazy, so that pages on which nobody asks load no form.
const WordsDialog = lazyComponent(() => import('./words-dialog').then((file) => file.WordsDialog))

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
