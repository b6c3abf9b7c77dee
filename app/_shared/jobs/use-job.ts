'use client'

import { useEffect, useRef, useState } from 'react'
import type { JobEventView, JobView } from '@/lib/portal/jobs/view'
import { reportLink } from '../portal-link'
import { read } from '../read'
import { isOpen } from './job-state'

export type JobFeed = {
  job: JobView
  lines: readonly JobEventView[]
  /** waiting: the stream broke and is being opened again. */
  stream: 'live' | 'waiting' | 'closed'
  /** Asks for the job's present state and follows it again. */
  lookAgain: () => void
}

const flushMs = 50
const reopenMs = 3000

/** A job and its lines: what the server rendered, then what the stream adds. A line that is already here is not added again. */
export function useJob(firstJob: JobView, firstLines: readonly JobEventView[]): JobFeed {
  const [job, setJob] = useState(firstJob)
  const [lines, setLines] = useState(firstLines)
  const [stream, setStream] = useState<JobFeed['stream']>('closed')
  const [attempt, setAttempt] = useState(0)
  const lastSeq = useRef(firstLines.at(-1)?.seq ?? 0)
  const open = isOpen(job.state) || lastSeq.current < job.eventCount

  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` opens the stream anew
  useEffect(() => {
    if (!open) {
      setStream('closed')
      return
    }
    let pending: JobEventView[] = []
    let flushing: ReturnType<typeof setTimeout> | undefined
    let reopening: ReturnType<typeof setTimeout> | undefined
    const flush = () => {
      flushing = undefined
      const added = pending
      pending = []
      if (added.length > 0) setLines((present) => [...present, ...added])
    }
    const take = (line: JobEventView) => {
      if (line.seq <= lastSeq.current) return
      lastSeq.current = line.seq
      pending.push(line)
      flushing ??= setTimeout(flush, flushMs)
    }
    const source = new EventSource(`/api/jobs/${encodeURIComponent(firstJob.id)}/events?after=${lastSeq.current}`)
    source.addEventListener('open', () => {
      setStream('live')
      reportLink('up')
    })
    source.addEventListener('line', (event) => take(JSON.parse(event.data)))
    source.addEventListener('state', (event) => setJob(JSON.parse(event.data)))
    source.addEventListener('reset', () => {
      lastSeq.current = 0
      pending = []
      setLines([])
      setAttempt((count) => count + 1)
    })
    source.addEventListener('error', () => {
      setStream('waiting')
      // The browser tries again by itself unless it was refused; then we ask why, and try later from the last line.
      if (source.readyState !== EventSource.CLOSED) return
      read<{ job: JobView }>(`/api/jobs/${encodeURIComponent(firstJob.id)}`).then(
        ({ data }) => setJob(data.job),
        () => undefined,
      )
      reopening = setTimeout(() => setAttempt((count) => count + 1), reopenMs)
    })
    return () => {
      clearTimeout(flushing)
      clearTimeout(reopening)
      source.close()
      flush()
    }
  }, [firstJob.id, open, attempt])

  return { job, lines, stream, lookAgain: () => setAttempt((count) => count + 1) }
}
