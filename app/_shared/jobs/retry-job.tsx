'use client'

import { useRouter } from 'next/navigation'
import { portalRead } from '../read-address'
import { StartButton } from '../start-button'
import { retryJob } from './actions'

/** Starts a job again that did not succeed, with the same fields, and shows the new one. */
export function RetryJob({ jobId }: { jobId: string }) {
  const router = useRouter()
  return (
    <StartButton
      action={retryJob}
      target={{ jobId }}
      label="Try again"
      refetch={[portalRead('/api/jobs'), portalRead('/api/counts')]}
      onDone={({ jobId: id }) => router.push(`/jobs/${id}`)}
    />
  )
}
