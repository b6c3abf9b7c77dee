/** Writes a job's lines and state: numbered without gap, committed together at most every 50 ms, under the lease. */
import 'server-only'
import type { ProgressEvent } from '@/lib/contract/events'
import type { Problem } from '@/lib/contract/problem'
import { log } from '@/lib/log'
import { showBidiControls } from '@/lib/text/bidi'
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

// A line now and then is seen at once; above twenty a second they are stored, and seen, together.
const batchMs = 50
const heardEveryMs = 10_000
// With more lines waiting than this, the upstream is not read until they are stored.
const backlogLimit = 2_000
const retryMs = 500
const retries = 20

/** Opens the log of a job that this process holds the lease of. Throws LeaseLost when it does not. */
export async function openJobLog(jobId: string): Promise<JobLog> {
  const job = await db().job.findFirst({ where: { id: jobId, lease: processLease() } })
  if (!job) throw new LeaseLost('This job belongs to another process.')
  return new JobLog(jobId, job.eventCount, job.upstreamEventId)
}

/** A job's rows as one writer sees them. Once a write has failed for good, every further one fails the same way. */
export class JobLog {
  readonly #jobId: string
  #count: number
  #upstreamEventId: number
  #rows: Row[] = []
  #change: Change = {}
  #timer: NodeJS.Timeout | null = null
  #lastCommitAt = 0
  #failure: unknown = null
  #tail: Promise<void> = Promise.resolve()

  constructor(jobId: string, count: number, upstreamEventId: number) {
    this.#jobId = jobId
    this.#count = count
    this.#upstreamEventId = upstreamEventId
  }

  /** How many lines the job has, those included that wait to be stored. */
  get count(): number {
    return this.#count
  }

  /** The highest id the service gave a line; what a resumed stream goes on after. */
  get upstreamEventId(): number {
    return this.#upstreamEventId
  }

  /** Takes one event; settles later only when storing lags behind. Rejects with LeaseLost. */
  async add({ id, step = '', progress, status, error, message }: ProgressEvent): Promise<void> {
    if (this.#failure) throw this.#failure
    this.#count += 1
    this.#upstreamEventId = Math.max(this.#upstreamEventId, id ?? 0)
    const [at, text] = [new Date(), message || (error ?? '')]
    this.#rows.push({
      jobId: this.#jobId,
      seq: this.#count,
      upstreamId: id,
      at,
      step: showBidiControls(step),
      progress: progress ?? null,
      status: status ?? '',
      message: showBidiControls(text),
    })
    const shown = { ...(step && { step: showBidiControls(step) }), ...(progress !== undefined && { progress: Math.round(progress) }) }
    this.#change = { ...this.#change, heardAt: at, ...shown }
    if (this.#rows.length >= backlogLimit) await this.#flush()
    else this.#schedule()
  }

  /** The service gave a sign of life. Written at most every 10 s. */
  heard(): void {
    if (Date.now() - this.#lastCommitAt < heardEveryMs) return
    this.#change = { ...this.#change, heardAt: new Date() }
    this.#schedule()
  }

  /** Writes the state, with whatever lines wait. */
  mark(state: 'running' | 'interrupted'): Promise<void> {
    this.#change = { ...this.#change, state, ...(state === 'running' && { heardAt: new Date() }) }
    return this.#flush()
  }

  /** Writes the last state, with whatever lines wait. */
  end({ state, problem }: JobEnd): Promise<void> {
    const why = { problemCode: problem?.code ?? null, problemSentence: problem?.sentence ?? null }
    this.#change = { ...this.#change, state, endedAt: new Date(), ...why }
    return this.#flush()
  }

  /** The first line after a pause goes at once, those on its heels together. */
  #schedule(): void {
    this.#timer ??= setTimeout(() => void this.#flush().catch(() => {}), Math.max(0, this.#lastCommitAt + batchMs - Date.now()))
  }

  #flush(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    this.#tail = this.#tail.then(() => this.#commitWaiting())
    this.#tail.catch((error: unknown) => {
      this.#failure ??= error
    })
    return this.#tail
  }

  async #commitWaiting(): Promise<void> {
    if (this.#failure) throw this.#failure
    if (this.#rows.length === 0 && Object.keys(this.#change).length === 0) return
    const [rows, change] = [this.#rows, { ...this.#change, eventCount: this.#count, upstreamEventId: this.#upstreamEventId }]
    this.#rows = []
    this.#change = {}
    this.#lastCommitAt = Date.now()
    await commit(this.#jobId, rows, change)
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
