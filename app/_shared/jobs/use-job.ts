'use client'

import { useRouter } from 'next/navigation'
import { startTransition, useEffect, useMemo, useRef, useState } from 'react'
import { refetchReads, useRead } from '@/app/_shared/reads/use-read'
import type { Outcome } from '@/lib/contract/problem'
import type { JobEventView, JobView } from '@/lib/portal/jobs/view'
import { read } from '../reads/read'
import { portalRead, type ReadAddress } from '../reads/read-address'
import { countsAddress } from '../reads/use-counts'
import { followJob } from './follow-job'
import type { JobNews } from './job-stream'

export type JobFeed = {
  job: JobView
  lines: readonly JobEventView[]
  /** waiting: the stream broke and is being reopened. */
  stream: 'live' | 'waiting' | 'closed'
  /** Reads the job's present state and follows it again. */
  recheck: () => void
}

const flushMs = 50

/** A job and its lines: what the server rendered, then the updates. */
export function useJob(firstJob: JobView, firstLines: readonly JobEventView[]): JobFeed {
  const [job, setJob] = useState(firstJob)
  const [lines, setLines] = useState(firstLines)
  const [stream, setStream] = useState<JobFeed['stream']>('closed')
  const [attempt, setAttempt] = useState(0)
  const lastSeq = useRef(firstLines.at(-1)?.seq ?? 0)
  const open = job.endedAt === null || lastSeq.current < job.eventCount

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new `attempt` follows the job again
  useEffect(() => {
    if (!open) {
      setStream('closed')
      return
    }
    let pending: JobEventView[] = []
    let flushing: ReturnType<typeof setTimeout> | undefined
    const flush = () => {
      flushing = undefined
      const added = pending
      pending = []
      if (added.length > 0) setLines((present) => [...present, ...added])
    }
    const hear = (news: JobNews) => {
      if (news.kind === 'state') {
        setJob(news.job)
        // The sidebar counts running jobs and sites.
        if (news.job.endedAt !== null) void refetchReads([countsAddress])
      } else if (news.kind === 'link') setStream(news.stream)
      else if (news.kind === 'lines') {
        lastSeq.current = news.lines.at(-1)?.seq ?? lastSeq.current
        pending.push(...news.lines)
        flushing ??= setTimeout(flush, flushMs)
      } else {
        lastSeq.current = 0
        pending = []
        setLines([])
      }
    }
    const leave = followJob(firstJob.id, lastSeq.current, hear)
    return () => {
      leave()
      clearTimeout(flushing)
      flush()
    }
  }, [firstJob.id, open, attempt])

  const recheck = () => {
    read(portalRead('/api/jobs/[jobId]', { jobId: firstJob.id })).then(
      ({ data }) => setJob(data.job),
      () => undefined,
    )
    setAttempt((count) => count + 1)
  }
  return { job, lines, stream, recheck }
}

const markOf = (job: JobView | null): string => (job ? `${job.id} ${job.endedAt ?? ''}` : '')

/**
 * The newest job of one kind; `jobs` answers it alone. Refreshes the page when such a job begins or ends, whoever started it, in whichever
 * window. rendered: the one that the server found.
 */
export function useNewestJob(jobs: ReadAddress<JobView[]>, rendered: JobView | null): JobView | null {
  const router = useRouter()
  const first = useMemo<Outcome<JobView[]>>(() => ({ ok: true, data: rendered ? [rendered] : [] }), [rendered])
  const { data } = useRead(jobs, { first, everyMs: 5000 })
  const newest = data?.[0] ?? null
  const [drawn, found] = [markOf(rendered), markOf(newest)]
  const asked = useRef(drawn)
  useEffect(() => {
    if (found === drawn || found === asked.current) return
    asked.current = found
    startTransition(() => router.refresh())
  }, [found, drawn, router])
  return newest
}
