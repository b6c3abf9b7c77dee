/** Follows a job: one upstream stream at a time, resumed if the service supports it, and never started twice. */
import 'server-only'
import { setTimeout as pause } from 'node:timers/promises'
import { type Problem, problem } from '@/lib/contract/problem'
import { log } from '@/lib/log'
import { db } from '@/lib/portal/base/db'
import { processLease } from '@/lib/portal/base/portals/lease'
import { sharedDatabase, unfenced } from '@/lib/portal/base/portals/shared'
import { processState } from '@/lib/portal/base/process-state'
import { msToWait } from '@/lib/portal/upstream/back-off'
import { getSettings } from '@/lib/settings/settings'
import { type AttachMode, type Attachment, attach, notKnown, type Work } from './attach'
import { concludeJob, noteBegun, refreshAfter } from './conclude'
import { isLost, type JobEnd, type JobLog, LeaseLost, openJobLog } from './job-log'
import { findWay, findWithheldFrom, freezeCheckMs, heldBy, watchWay } from './way'

/** startsUntil: as ms since 1970, until when the work may be started if its service does not know it; 0 if it may not. */
export type RelayWork = Work & { jobId: string; connectionId: string; startsUntil: number }

/**
 * Milliseconds. Reconnects after firstRetry, doubling up to lastRetry. If the service is unreachable for `away`, the job becomes
 * interrupted; after `giveUp` it ends. A job that the service does not know is asked about again for `arrive`.
 */
export type RelayTiming = { firstRetryMs: number; lastRetryMs: number; awayMs: number; giveUpMs: number; arriveMs: number }

const usual = { firstRetryMs: 500, lastRetryMs: 30_000, awayMs: 60_000, giveUpMs: 3_600_000 }

// Where several portals share the database, one that is only stopped may still send what starts the work; else the former process is gone.
const usualTiming = (): RelayTiming => ({ ...usual, arriveMs: sharedDatabase() ? 60_000 : 5_000 })

const abandonRetryMs = 10_000

// A service that resumes this often without a single event has nothing left to report.
const emptyLimit = 8

// Shared by all route bundles of the process, because there must be only one relay per job among them.
const runningRelays = processState('relays', (): Map<string, { over: Promise<void>; stop: AbortController }> => new Map())

/** Starts following a job in this process, unless it is followed already. Settles, never rejects, when the job is over. */
export function startRelay(work: RelayWork, mode: AttachMode, timing: RelayTiming = usualTiming()): Promise<void> {
  const relays = runningRelays()
  const present = relays.get(work.jobId)
  if (present) return present.over
  const stop = new AbortController()
  // Whatever starts it may be over, or taken over, before the job is.
  const over = unfenced(() => run(work, mode, { timing, stopped: stop.signal }))
    .catch((error: unknown) => {
      if (isLost(error)) log.warn({ jobId: work.jobId }, 'a job was taken over by another process')
      else return sharedDatabase() ? drop(work.jobId, error) : abandon(work.jobId, error)
    })
    .finally(() => relays.delete(work.jobId))
  relays.set(work.jobId, { over, stop })
  return over
}

/** Settles when this process no longer follows the job; undefined if it does not. */
export const relayOf = (jobId: string): Promise<void> | undefined => runningRelays().get(jobId)?.over

/** How many jobs this process is following. */
export const countRelays = (): number => runningRelays().size

/** Stops following a job, but not its work, and waits until that is stored. False if this process does not follow the job. */
export async function stopRelay(jobId: string): Promise<boolean> {
  const relay = runningRelays().get(jobId)
  relay?.stop.abort()
  await relay?.over
  return relay !== undefined
}

/** Another process has the job now: what this one still does about it is in vain. */
export async function forgetRelay(jobId: string): Promise<void> {
  const relay = runningRelays().get(jobId)
  relay?.stop.abort(new LeaseLost('Another process has taken this job over.'))
  await relay?.over
}

/** The jobs that this process is following. */
export const listRelays = (): string[] => [...runningRelays().keys()]

// A database that was restarted or cut off for a while comes back; an error of the portal does not go away.
const maxDrops = 20

const dropped = processState('dropped jobs', () => new Map<string, number>())

/** Jobs that this process could not follow any more although they are its own. They are to be resumed. */
export const listDropped = (): string[] => [...dropped().keys()].filter((id) => !runningRelays().has(id))

export function noteDropped(jobId: string): void {
  dropped().set(jobId, dropped().get(jobId) ?? 0)
}

export const forgetDropped = (jobId: string): boolean => dropped().delete(jobId)

function drop(jobId: string, cause: unknown): Promise<void> {
  const drops = (dropped().get(jobId) ?? 0) + 1
  if (drops > maxDrops) {
    dropped().delete(jobId)
    return abandon(jobId, cause)
  }
  dropped().set(jobId, drops)
  log.warn({ err: cause, jobId }, 'a job could not be followed for a moment')
  return Promise.resolve()
}

/** Handles an error in the portal itself: the job must not look as if it were still followed. */
async function abandon(jobId: string, cause: unknown): Promise<void> {
  log.error({ err: cause, jobId }, 'a job can no longer be followed')
  const { code, sentence } = problem('internal', {
    sentence: 'Gatehouse could not keep following this job. The job itself may still be running.',
  })
  const data = { state: 'interrupted' as const, endedAt: new Date(), problemCode: code, problemSentence: sentence }
  const where = { id: jobId, lease: processLease(), endedAt: null }
  for (;;) {
    try {
      return void (await db().job.updateMany({ where, data }))
    } catch (error) {
      log.error({ err: error, jobId }, 'that failure could not be written either')
      await pause(abandonRetryMs, undefined, { ref: false })
    }
  }
}

/** stopped: aborts when a user stops following the job. */
type Following = { timing: RelayTiming; stopped: AbortSignal }

async function run(work: RelayWork, mode: AttachMode, following: Following): Promise<void> {
  const jobLog = await openJobLog(work.jobId)
  const end = await followToEnd(work, mode, following, jobLog)
  if (isLost(following.stopped.reason)) throw following.stopped.reason
  await concludeJob(work.jobId, jobLog, end)
  await refreshAfter(work.jobId)
}

async function followToEnd(work: RelayWork, mode: AttachMode, { timing, stopped }: Following, jobLog: JobLog): Promise<JobEnd> {
  const standing = createStanding(jobLog, mode)
  const opened = onceOpened(work.jobId, jobLog, standing.up)
  const { jobMs } = getSettings()
  const endsAt = Date.now() + jobMs
  let arrivesUntil = Date.now() + timing.arriveMs
  let [upAt, retryMs, empty, next, connectionId] = [Date.now(), timing.firstRetryMs, 0, mode, work.connectionId]
  let { startsUntil } = work
  for (;;) {
    const way = await findWay(work.jobId, connectionId, next)
    if (way.kind === 'gone') return { state: 'interrupted', problem: problem('no_connection') }
    if (way.kind === 'held') {
      await standing.held(way.problem)
      await pause(freezeCheckMs, undefined, { signal: stopped }).catch(() => {})
      if (stopped.aborted) return followedNoMore
      if (Date.now() >= endsAt) return pastLimit(jobMs)
      upAt = Date.now()
      continue
    }
    const { connection } = way
    connectionId = connection.id
    // A service without extensions would start the work again.
    if (next === 'resume' && !connection.extensions) return { state: 'interrupted', problem: problem('outcome_unknown') }
    // What this process has sent may have begun, or still arrive, whatever its service says then.
    if (next === 'start') [startsUntil, arrivesUntil] = [0, Date.now() + timing.arriveMs]
    const watch = watchWay(work.jobId, connectionId)
    const signal = AbortSignal.any([stopped, watch.signal])
    const attached = await attach(work, connection, { mode: next, endsAt, arrivesUntil, signal }, jobLog, opened).finally(watch.stop)
    if (stopped.aborted && !isDecided(attached)) return followedNoMore
    if (Date.now() >= endsAt && !isDecided(attached)) return pastLimit(jobMs)
    const withheld = isDecided(attached) ? null : await findWithheldFrom(work.jobId, connectionId)
    if (withheld && mayResume(attached)) {
      next = 'resume'
      continue
    }
    if (withheld) return { state: 'interrupted', problem: heldBy(withheld) }
    if (attached.kind === 'over') return attached.end
    if (attached.kind === 'absent') {
      if (Date.now() >= startsUntil) return { state: 'failed', problem: problem('no_install', { sentence: notKnown }) }
      next = 'start'
      continue
    }
    if (!attached.resumable) return { state: 'interrupted', problem: problem('outcome_unknown') }
    if (attached.answered) upAt = Date.now()
    if (attached.lines > 0) [retryMs, empty] = [timing.firstRetryMs, 0]
    else if (attached.answered) empty += 1
    if (empty >= emptyLimit) return { state: 'unknown', problem: problem('outcome_unknown') }
    const awayMs = Date.now() - upAt
    if (awayMs >= timing.giveUpMs) return { state: 'interrupted', problem: problem('upstream_unreachable') }
    if (awayMs >= timing.awayMs) await standing.down()
    await pause(Math.max(retryMs, msToWait(connection)), undefined, { signal: stopped }).catch(() => {})
    if (stopped.aborted) return followedNoMore
    ;[retryMs, next] = [Math.min(retryMs * 2, timing.lastRetryMs), 'resume']
  }
}

/** Called whenever the stream to the service opens; what begins with the work is looked for once. */
function onceOpened(jobId: string, jobLog: JobLog, up: () => Promise<void>): () => Promise<void> {
  let begun = false
  return async () => {
    await up()
    if (begun) return
    begun = true
    void noteBegun(jobId, jobLog).catch((error: unknown) => log.warn({ err: error, jobId }, 'what a job began could not be found'))
  }
}

const mayResume = (attached: Attachment): boolean => attached.kind === 'cut' && attached.resumable

const isDecided = (attached: Attachment): boolean =>
  attached.kind === 'over' && ['done', 'failed', 'cancelled'].includes(attached.end.state)

export const followedNoMore: JobEnd = {
  state: 'interrupted',
  problem: problem('outcome_unknown', {
    sentence: 'A team member stopped following this job. It may still be running on the server.',
  }),
}

function pastLimit(jobMs: number): JobEnd {
  const sentence = `Gatehouse followed this job for ${jobMs / 3_600_000} h, the limit set by JOB_HOURS, and then stopped. The job may still be running.`
  return { state: 'interrupted', problem: problem('upstream_too_slow', { sentence }) }
}

/** Stores whether the stream to the service is connected, and if it may not be used, why; writes only changes. */
function createStanding(jobLog: JobLog, mode: AttachMode) {
  let stands: 'up' | 'down' | 'held' = mode === 'start' ? 'up' : 'down'
  const put = async (next: typeof stands, why: Problem | null = null): Promise<void> => {
    if (stands === next) return
    stands = next
    await jobLog.mark(next === 'up' ? 'running' : 'interrupted', why)
  }
  return { up: () => put('up'), down: () => put('down'), held: (why: Problem) => put('held', why) }
}
