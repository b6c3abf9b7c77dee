'use client'

import { useState } from 'react'
import { useAction } from '@/app/_shared/forms/action-form'
import { formatReason } from '@/app/_shared/forms/call-action'
import { focusIfLost } from '@/app/_shared/forms/keep-focus'
import { portalRead } from '@/app/_shared/reads/read-address'
import { refetchReads } from '@/app/_shared/reads/use-read'
import { Button } from '@/app/_ui/button'
import { CopyButton } from '@/app/_ui/copy-button'
import { Notice } from '@/app/_ui/notice'
import type { Problem } from '@/lib/contract/problem'
import type { JobView } from '@/lib/portal/jobs/view'
import { dropCredentials, showCredentials } from '../actions'
import { controlIds } from './use-app-changes'

type Shown = { url: string; user: string; password: string }

type OnceCredentialsProps = {
  job: JobView
  /** Whose page it is. */
  userId: string | null
  /** What they sign in to. */
  what: string
}

/**
 * The credentials that a finished job returned. They are fetched by a click, so that a reload or another tab does not use up the only look;
 * whoever started the job sees them again until Done, or for ten minutes.
 */
export function OnceCredentials({ job: { id, operation, siteId, credentialsFor }, userId, what }: OnceCredentialsProps) {
  const [dismissed, setDismissed] = useState(false)
  const { answer, pending, send } = useAction(showCredentials)
  const drop = useAction(dropCredentials)
  const shown = answer?.ok ? answer.data.credentials : null
  if (dismissed || (credentialsFor === null && !shown)) return null
  if (credentialsFor !== null && credentialsFor !== userId) {
    return <Notice tone="info" title={`The sign-in details for ${what} can be shown once, to the member who received them.`} />
  }
  const doneId = `credentials-${id}`
  const show = async () => {
    await send({ jobId: id })
    focusIfLost(() => document.getElementById(doneId))
  }
  const finish = async () => {
    const dropped = await drop.send({ jobId: id })
    if (!dropped?.ok) return
    setDismissed(true)
    focusIfLost(() => document.getElementById(controlIds.pull))
    await refetchReads([portalRead('/api/jobs', { ...(siteId !== null && { site: siteId }), ...(operation !== null && { operation }) })])
  }
  if (shown) {
    const failure = drop.answer && !drop.answer.ok ? drop.answer.problem : null
    return (
      <ShownCredentials shown={shown} what={what} doneId={doneId} failure={failure} pending={drop.pending} onDone={() => void finish()} />
    )
  }
  return (
    <Notice
      tone="ok"
      title={`The sign-in details for ${what} can be shown once.`}
      action={
        <Button variant="primary" disabled={pending} onClick={() => void show()}>
          Show sign-in details
        </Button>
      }
    >
      {answer && !answer.ok ? (
        <p role="alert">{formatReason(answer.problem)}</p>
      ) : (
        'Have a place ready to save them. Gatehouse does not store them.'
      )}
    </Notice>
  )
}

type ShownCredentialsProps = { shown: Shown; what: string; doneId: string; failure: Problem | null; pending: boolean; onDone: () => void }

const ShownCredentials = ({ shown: { url, user, password }, what, doneId, failure, pending, onDone }: ShownCredentialsProps) => (
  <Notice
    tone="ok"
    alert
    title={`Copy the sign-in details for ${what} now.`}
    action={
      <Button id={doneId} variant="primary" disabled={pending} onClick={onDone}>
        Done
      </Button>
    }
  >
    <p>After Done, or in ten minutes, they cannot be shown again.</p>
    {failure ? <p role="alert">{formatReason(failure)}</p> : null}
    <dl className="mt-2 flex flex-col gap-1">
      <Line label="Address" value={url} />
      <Line label="User" value={user} />
      <Line label="Password" value={password} />
    </dl>
  </Notice>
)

const Line = ({ label, value }: { label: string; value: string }) => (
  <div className="flex items-center gap-2">
    <dt className="w-20 shrink-0 text-muted">{label}</dt>
    <dd className="flex min-w-0 flex-1 items-center justify-between gap-2 rounded-control bg-sunken py-0.5 pr-1 pl-2">
      <code className="min-w-0 font-mono text-code break-all">{value}</code>
      <CopyButton value={value} what={`the ${label.toLowerCase()}`} />
    </dd>
  </div>
)
