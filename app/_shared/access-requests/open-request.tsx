'use client'

import { useState } from 'react'
import type { AccessRequestView } from '@/lib/portal/subjects/team/requests/list'
import { Button } from '../../_ui/button'
import { RelativeTime } from '../../_ui/relative-time'
import { callAction, formatReason } from '../forms/call-action'
import { withdrawRequest } from './actions'
import { formatAsked } from './request-words'
import { accessRequestsAddress } from './use-access-requests'

/** A request of the reader’s own that nobody has answered, which they can withdraw. */
export function OpenRequest({ request }: { request: AccessRequestView }) {
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
