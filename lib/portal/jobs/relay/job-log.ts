/** Writes a job's lines and state under its lease: numbered without gaps, committed together at most every 50 ms. */
import 'server-only'
import type { ProgressEvent } from '@/lib/contract/events'
import { createLineGate, formatLeftOut, type Kept, type LineGate, leftOutStatus } from '@/lib/contract/kept-lines'
import { type Problem, problem, reasonOf } from '@/lib/contract/problem'
import type { Fence } from '@/lib/database/postgresql'
import { log } from '@/lib/log'
import { db } from '@/lib/portal/base/db'
import { sendHint } from '@/lib/portal/base/portals/hints'
import { processLease } from '@/lib/portal/base/portals/lease'
import { nextTurn } from '@/lib/portal/base/turns'
import { showBidiControls } from '@/lib/text/bidi'
import type { Job, Prisma } from '@/prisma/generated/portal/client'
import { readJob, toJobEventView } from '../view'
import { isWatched, publish } from './bus'
import { insertRows, type Line, type Row, WaitingRows } from './job-batch'

/** Another process has taken over the job, so nothing more may be written. */
export class LeaseLost extends Error {
  // Next's bundles each have a copy of the class.
  override name = 'LeaseLost'
}

/** Whether another process has taken the job over, by whichever check that was found. */
export const isLost = (error: unknown): boolean => error instanceof Error && (error.name === 'LeaseLost' || error.name === 'FenceLost')

/** By what this process holds a job. */
type Held = Pick<Job, 'id' | 'lease' | 'leaseEpoch'>

/** answer: the operation's decoded answer, if its service sent one. */
export type JobEnd = { state: 'done' | 'failed' | 'interrupted' | 'unknown' | 'cancelled'; problem: Problem | null; answer?: unknown }

/** What the portal stores of a job besides: see the columns of Job. */
export type JobFindings = { siteId?: string | null; note?: string }

type Change = Prisma.JobUncheckedUpdateManyInput

// A single line appears immediately; above twenty a second, lines are stored and published together.
const batchMs = 50
const heardEveryMs = 10_000
// Reports omitted lines once nothing has arrived for this long.
const quietMs = 1_000
const retryMs = 500
const retries = 20

/** Opens the log of a job whose lease this process holds. Throws LeaseLost if it does not. */
export async function openJobLog(jobId: string): Promise<JobLog> {
  const job = await db().job.findFirst({ where: { id: jobId, lease: processLease() } })
  if (!job) throw new LeaseLost('This job belongs to another process.')
  const last = await db().jobEvent.findUnique({ where: { jobId_seq: { jobId, seq: job.eventCount } } })
  return new JobLog(job, last && endIn(last))
}

/** How the job ended according to a stored line; null if that does not say. */
function endIn({ status, message }: { status: string; message: string }): JobEnd | null {
  if (status === 'done') return { state: 'done', problem: null }
  return status === 'failed' ? { state: 'failed', problem: problem('upstream_failed', { sentence: message }) } : null
}

/** The rows of a job for its one writer. Once a write has finally failed, every later one fails with the same error. */
export class JobLog {
  readonly #held: Held
  readonly #gate: LineGate<Line>
  #count: number
  #upstreamEventId: number
  #storedUpstreamId: number
  readonly #rows = new WaitingRows()
  #change: Change = {}
  #timer: NodeJS.Timeout | null = null
  #quiet: NodeJS.Timeout | null = null
  #lastCommitAt = 0
  #lastLineAt = 0
  #failure: unknown = null
  #tail: Promise<void> = Promise.resolve()
  #step = ''
  #progress: number | null = null
  #over = false
  /** How the job ended, if its last line was stored before this log was opened. */
  readonly storedEnd: JobEnd | null

  constructor({ eventCount, upstreamEventId, ...job }: Held & Pick<Job, 'eventCount' | 'upstreamEventId'>, storedEnd: JobEnd | null) {
    this.#held = { id: job.id, lease: job.lease, leaseEpoch: job.leaseEpoch }
    this.#count = eventCount
    this.#upstreamEventId = upstreamEventId
    this.#storedUpstreamId = upstreamEventId
    this.#gate = createLineGate<Line>(({ message }) => message.length, eventCount)
    this.storedEnd = storedEnd
  }

  /** Refuses what is written about the job once another process has taken it over, or this one again. */
  get fence(): Fence {
    const { id, lease, leaseEpoch } = this.#held
    return {
      sql: `SELECT 1 AS "one" FROM "Job" WHERE "id" = $1 AND "lease" = $2 AND "leaseEpoch" = $3`,
      values: [id, lease, leaseEpoch],
    }
  }

  /** The number of the job's lines, including queued ones. */
  get count(): number {
    return this.#count
  }

  /** The highest id of a line from the service; a resumed stream continues after it. */
  get upstreamEventId(): number {
    return this.#upstreamEventId
  }

  /** Whether more lines arrive than are kept. */
  get flooded(): boolean {
    return this.#gate.gapOpen
  }

  /** Whether its end has been written. */
  get over(): boolean {
    return this.#over
  }

  /**
   * Writes that its service is asked for it now, before it is: from then on nobody else may start it. Rejects with LeaseLost once another
   * process has the job, which may start it instead.
   */
  noteSent(): Promise<void> {
    this.#change = { ...this.#change, unsent: false, state: 'running', heardAt: new Date() }
    return this.#flush()
  }

  /** Writes which site the job makes, unless it is over. */
  async noteSite(siteId: string): Promise<void> {
    if (this.#over) return
    this.#change = { ...this.#change, siteId }
    await this.#flush()
  }

  /** Adds one event; settles later only if storing falls behind. Rejects with LeaseLost. */
  async add({ id, step = '', progress, status, error, message }: ProgressEvent): Promise<void> {
    if (this.#failure) throw this.#failure
    this.#upstreamEventId = Math.max(this.#upstreamEventId, id ?? 0)
    const at = new Date()
    const whole = progress === undefined ? null : Math.round(progress)
    const shown = showBidiControls(step)
    const text = showBidiControls(message || (error ?? ''))
    const line = { upstreamId: id, at, step: shown, progress: whole, status: status ?? '', message: text }
    const news = (shown !== '' && shown !== this.#step) || (whole !== null && whole !== this.#progress)
    this.#step = shown || this.#step
    this.#progress = whole ?? this.#progress
    Object.assign(this.#change, { heardAt: at }, shown && { step: shown }, whole !== null && { progress: whole })
    this.#keep(status === 'done' || status === 'failed' ? this.#gate.end(line) : this.#gate.take(line, news))
    this.#lastLineAt = at.getTime()
    if (this.#gate.gapOpen) this.#quiet ??= setTimeout(this.#tellWhenQuiet, quietMs)
    if (this.#rows.full) await this.#flush()
    else this.#schedule()
  }

  /** Notes that the service sent something. Written at most every 10 s. */
  heard(): void {
    if (Date.now() - this.#lastCommitAt < heardEveryMs) return
    this.#change = { ...this.#change, heardAt: new Date() }
    this.#schedule()
  }

  /** Writes the state, and why the job is not followed at present, together with any queued lines. */
  mark(state: 'running' | 'interrupted', why: Problem | null = null): Promise<void> {
    this.#change = { ...this.#change, state, ...columnsOf(why), ...(state === 'running' && { heardAt: new Date() }) }
    return this.#flush()
  }

  /** Writes the final state together with any queued lines. */
  end({ state, problem }: JobEnd, findings: JobFindings = {}): Promise<void> {
    this.#over = true
    this.#keep(this.#gate.end(null))
    this.#change = { ...this.#change, state, endedAt: new Date(), ...columnsOf(problem), ...findings }
    return this.#flush()
  }

  #keep(kept: readonly Kept<Line>[]): void {
    for (const each of kept) {
      this.#count += 1
      this.#rows.add({ seq: this.#count, ...(each.kind === 'line' ? each.line : markOf(each)) })
    }
  }

  #tellWhenQuiet = (): void => {
    this.#quiet = null
    if (!this.#gate.gapOpen || this.#failure) return
    if (Date.now() - this.#lastLineAt < quietMs) this.#quiet = setTimeout(this.#tellWhenQuiet, quietMs)
    else {
      this.#keep(this.#gate.pause())
      this.#schedule()
    }
  }

  /** Writes the first line after a pause immediately, and lines right after it together. */
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
    let rows = this.#rows.take()
    for (; !this.#rows.empty; rows = this.#rows.take()) {
      await this.#commit(rows, {})
      await nextTurn()
    }
    if (rows.length === 0 && Object.keys(this.#change).length === 0) return
    const change = this.#change
    this.#change = {}
    await this.#commit(rows, change)
    await nextTurn()
  }

  /** The job's counters only cover stored lines: after a crash, the service resends omitted lines that were not reported yet. */
  #commit(rows: readonly Row[], change: Change): Promise<void> {
    this.#lastCommitAt = Date.now()
    const upstreamIds = rows.flatMap(({ upstreamId }) => upstreamId ?? [])
    this.#storedUpstreamId = upstreamIds.reduce((highest, id) => Math.max(highest, id), this.#storedUpstreamId)
    const eventCount = rows.at(-1)?.seq
    return commit(this.#held, rows, { ...change, ...(eventCount && { eventCount }), upstreamEventId: this.#storedUpstreamId })
  }
}

const columnsOf = (why: Problem | null) => ({ problemCode: why?.code ?? null, problemSentence: why && reasonOf(why) })

/** The line that replaces omitted ones. */
const markOf = ({ count, last }: Kept<Line> & { kind: 'left-out' }): Line => ({
  upstreamId: last.upstreamId,
  at: last.at,
  step: '',
  progress: null,
  status: leftOutStatus,
  message: formatLeftOut(count),
})

/** Writes lines and job in one transaction, guarded by the lease, then notifies viewers. Retries while the database is busy. */
async function commit(held: Held, rows: readonly Row[], data: Change): Promise<void> {
  const jobId = held.id
  for (let attempt = 1; ; attempt++) {
    try {
      await store(held, rows, data, attempt > 1)
      break
    } catch (error) {
      if (isLost(error) || attempt === retries) throw error
      log.warn({ err: error, jobId, attempt }, 'lines of a job could not be stored yet')
      await new Promise((resolve) => setTimeout(resolve, retryMs))
    }
  }
  void sendHint('job', jobId)
  if (!isWatched(jobId)) return
  const view = await readJob(jobId)
  if (view) publish(jobId, { lines: rows.map(toJobEventView), view })
}

/** again: the connection may have been lost after the first attempt was committed. */
async function store(held: Held, rows: readonly Row[], data: Change, again: boolean): Promise<void> {
  await db().$transaction(async (tx) => {
    const last = rows.at(-1)?.seq
    if (again && last !== undefined && (await tx.job.count({ where: { ...held, eventCount: { gte: last } } })) > 0) return
    const { count } = await tx.job.updateMany({ where: held, data })
    if (count === 0) throw new LeaseLost('Another process has taken this job over.')
    await insertRows(tx, held.id, rows)
  })
}
