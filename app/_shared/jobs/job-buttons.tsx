'use client'

import { useRouter } from 'next/navigation'
import type { ReactNode } from 'react'
import type { JobView } from '@/lib/portal/jobs/view'
import { ButtonLink } from '../../_ui/button'
import { StartButton } from '../forms/start-button'
import { portalRead } from '../reads/read-address'
import { retryJob, stopFollowing } from './actions'
import { AskedAction } from './asked-action'

type StopFollowingProps = {
  jobId: string
  /** What the job is, in the middle of a sentence. */
  noun: 'install' | 'job'
  may: boolean
  /** What starting the same work again does. */
  again: string
}

/** For a service that does not end its output: until then the same work cannot start again, nor its connection be removed. */
export function StopFollowing({ jobId, noun, may, again }: StopFollowingProps) {
  return (
    <AskedAction
      label="Stop following"
      title={`Stop following this ${noun}?`}
      description={`Gatehouse stops reading its output, for the whole team. The ${noun} itself is not stopped: it may still run on the server. ${again}`}
      keep="Cancel"
      may={may}
      confirm={(close) => <StartButton action={stopFollowing} target={{ jobId }} label="Stop following" onDone={close} />}
    />
  )
}

type RetryJobProps = {
  jobId: string
  /** Default: shows the new job. */
  onStarted?: () => void
}

/** Starts a job again that did not succeed, with the same fields. */
export function RetryJob({ jobId, onStarted }: RetryJobProps) {
  const router = useRouter()
  return (
    <StartButton
      action={retryJob}
      target={{ jobId }}
      label="Try again"
      refetch={[portalRead('/api/jobs'), portalRead('/api/counts'), portalRead('/api/servers')]}
      onDone={({ jobId: id }) => (onStarted ? onStarted() : router.push(`/jobs/${id}`))}
    />
  )
}

type TryAgainProps = {
  job: JobView
  may: boolean
  /** Default: one click starts it. */
  retry?: ReactNode
  /** Where else to go from here. */
  children?: ReactNode
}

/** After a job that did not succeed: the one that started its work again, or the button that does. */
export const TryAgain = ({ job, may, retry = <RetryJob jobId={job.id} />, children }: TryAgainProps) => (
  <span className="flex flex-wrap gap-2">
    {job.newer ? <NewerLink newer={job.newer} /> : null}
    {may && job.repeatable ? retry : null}
    {children}
  </span>
)

const NewerLink = ({ newer: { kind, id } }: { newer: NonNullable<JobView['newer']> }) =>
  kind === 'job' ? (
    <ButtonLink href={`/jobs/${id}`}>View the newer job</ButtonLink>
  ) : (
    <ButtonLink href={`/jobs/batches/${id}`}>View the repetition</ButtonLink>
  )
