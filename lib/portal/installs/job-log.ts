/** Writes a job's lines and state: numbered without gap, committed together at most every 250 ms, under the lease. */
import 'server-only'
import type { ProgressEvent } from '@/lib/contract/events'
import type { Problem } from '@/lib/contract/problem'
import { log } from '@/lib/log'
import type { Prisma } from '@/prisma/generated/portal/client'
import { db } from '../db'
import { readJob, toJobEventView } from '../jobs/view'
import { isWatched, publish } from './bus'
import { processLease } from './lease'

/** Another process has taken the job over: nothing more may be written. */
export class LeaseLost extends Error {}

export type JobEnd = { state: 'done' | 'failed' | 'interrupted' | 'unknown'; problem: Problem | null }

type Row = {
  jobId: string
  seq: number
  upstreamId: number | null
  at: Date
  step: string
  progress: number | null
  status: string
  message: string
}
type Change = Prisma.JobUncheckedUpdateManyInput

const batchMs = 250
// About what one viewer's screen holds; beyond it the upstream is not read until the rows are stored.
const backlogLimit = 2_000
const retryMs = 500
const retries = 20

export type JobLog = {
  /** Highest upstream id stored or waiting; what a resumed stream goes on after. */
  upstreamEventId(): number
  /** How many lines the job has. */
  count(): number
  /** Takes one event; settles later only when storing lags behind. Rejects with LeaseLost. */
  add(event: ProgressEvent): Promise<void>
  /** The service gave a sign of life. */
  heard(): void
  /** Writes the state with whatever lines wait. */
  change(state: 'running' | 'interrupted'): Promise<void>
  end(end: JobEnd): Promise<void>
}

/** Opens the log of a job that this process holds the lease of. Throws LeaseLost when it does not. */
export async function openJobLog(jobId: string): Promise<JobLog> {
  const job = await db().job.findFirst({ where: { id: jobId, lease: processLease() } })
  if (!job) throw new LeaseLost('This job belongs to another process.')
  let { eventCount, upstreamEventId } = job
  let rows: Row[] = []
  let change: Change = {}
  let timer: NodeJS.Timeout | null = null
  let lastCommitAt = 0
  let failure: unknown = null
  let tail: Promise<void> = Promise.resolve()

  const flush = (): Promise<void> => {
    if (timer) clearTimeout(timer)
    timer = null
    tail = tail.then(async () => {
      if (failure) throw failure
      if (rows.length === 0 && Object.keys(change).length === 0) return
      const [batch, data] = [rows, { ...change, eventCount, upstreamEventId }]
      ;[rows, change, lastCommitAt] = [[], {}, Date.now()]
      await commit(jobId, batch, data)
    })
    tail.catch((error: unknown) => {
      failure ??= error
    })
    return tail
  }

  // The first line after a pause goes at once, those on its heels together.
  const schedule = () => {
    timer ??= setTimeout(() => void flush().catch(() => {}), Math.max(0, lastCommitAt + batchMs - Date.now()))
  }

  return {
    upstreamEventId: () => upstreamEventId,
    count: () => eventCount,
    async add(event) {
      if (failure) throw failure
      const { id, step = '', progress, status = '', error, message } = event
      eventCount += 1
      upstreamEventId = Math.max(upstreamEventId, id ?? 0)
      const text = message || (error ?? '')
      rows.push({ jobId, seq: eventCount, upstreamId: id, at: new Date(), step, progress: progress ?? null, status, message: text })
      change = { ...change, heardAt: new Date(), ...(step && { step }), ...(progress !== undefined && { progress: Math.round(progress) }) }
      if (rows.length >= backlogLimit) await flush()
      else schedule()
    },
    heard() {
      change = { ...change, heardAt: new Date() }
      schedule()
    },
    change(state) {
      change = { ...change, state, ...(state === 'running' && { heardAt: new Date() }) }
      return flush()
    },
    end({ state, problem }) {
      change = { ...change, state, endedAt: new Date(), problemCode: problem?.code ?? null, problemSentence: problem?.sentence ?? null }
      return flush()
    },
  }
}

/** Lines and job in one transaction, fenced by the lease; then viewers are told. A busy database is tried again. */
async function commit(jobId: string, rows: readonly Row[], data: Change): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await store(jobId, rows, data)
      break
    } catch (error) {
      if (error instanceof LeaseLost || attempt === retries) throw error
      log.warn({ err: error, jobId, attempt }, 'lines of a job could not be stored yet')
      await new Promise((resolve) => setTimeout(resolve, retryMs))
    }
  }
  if (!isWatched(jobId)) return
  const view = await readJob(jobId)
  if (view) publish(jobId, { lines: rows.map(toJobEventView), view })
}

async function store(jobId: string, rows: readonly Row[], data: Change): Promise<void> {
  await db().$transaction(async (tx) => {
    const { count } = await tx.job.updateMany({ where: { id: jobId, lease: processLease() }, data })
    if (count === 0) throw new LeaseLost('Another process has taken this job over.')
    if (rows.length > 0) await tx.jobEvent.createMany({ data: [...rows] })
  })
}
