/** Reads one upstream stream of a job from beginning to end. */
import 'server-only'
import { setTimeout as pause } from 'node:timers/promises'
import { decodeAnswer, type Reply } from '@/lib/contract/answer'
import { parseEventData } from '@/lib/contract/event-data'
import type { ProgressEvent } from '@/lib/contract/events'
import { isJsonObject, withoutWarnings } from '@/lib/contract/json'
import type { Operation } from '@/lib/contract/operation'
import { type Outcome, type Problem, problem } from '@/lib/contract/problem'
import { withoutText } from '@/lib/contract/sentence'
import { createStreamReader } from '@/lib/contract/stream'
import { nextTurn } from '@/lib/portal/base/turns'
import type { PreparedRequest } from '@/lib/portal/spine/prepare-request'
import { type Opened, openStream, secretsOf } from '@/lib/portal/upstream/unattended'
import type { Limits } from '@/lib/portal/upstream/watch'
import type { Connection } from '@/prisma/generated/portal/client'
import type { JobEnd, JobLog } from './job-log'

/** start: may start the work; sent only once. resume: sends Last-Event-ID, which never starts work. */
export type AttachMode = 'start' | 'resume'

/**
 * Times as ms since 1970. endsAt: when the portal stops following. arrivesUntil: until then, a request that the process before had sent may
 * still reach the service. signal: ends it earlier.
 */
export type AttachPlan = { mode: AttachMode; endsAt: number; arrivesUntil: number; signal: AbortSignal }

export type Work = { operation: Operation; request: PreparedRequest }

/**
 * over: nothing more will come. cut: the stream broke or ended without a final event; answered: a stream had begun. absent: the service does not
 * know the work, and what would start it is not on its way any more.
 */
export type Attachment =
  | { kind: 'over'; end: JobEnd }
  | { kind: 'cut'; lines: number; answered: boolean; resumable: boolean }
  | { kind: 'absent' }

const maxSentenceLength = 500
// While lines are omitted, the portal reads more slowly: at most 100 chunks (of up to 64 KB) a second.
const floodPauseMs = 10

type Streamed = Extract<Opened<Operation>, { kind: 'stream' }>

/** Calls upstream once and adds all lines to the job's open log. Rejects only if the log cannot be written. */
export async function attach(
  work: Work,
  connection: Connection,
  { mode, endsAt, arrivesUntil, signal }: AttachPlan,
  jobLog: JobLog,
  opened: () => Promise<void>,
): Promise<Attachment> {
  const streams = work.operation.stream || connection.extensions
  if (mode === 'start') await jobLog.noteSent()
  const reply = await openStream(connection, work.operation, work.request, {
    pace: streams ? 'stream' : 'slow',
    limits: limitsUntil(endsAt, mode),
    signal,
    ...(streams && { accept: 'text/event-stream' }),
    ...(mode === 'resume' && { lastEventId: String(jobLog.upstreamEventId) }),
  })
  if (reply.kind === 'stream') {
    if (mode === 'resume' && reply.status === noMoreEvents) return endStored(reply, jobLog, Date.now() < arrivesUntil)
    try {
      await opened()
    } catch (error) {
      reply.discard()
      throw error
    }
    return follow(work, reply, mode, jobLog)
  }
  const { outcome, extensions: resumable = connection.extensions } = reply
  return mode === 'start' ? judgeStart(outcome, resumable) : judgeResume(outcome, jobLog, resumable, Date.now() < arrivesUntil)
}

/** The error of a job that its service does not know. */
export const notKnown = 'The service does not know this job: it was never started, or its record was deleted.'

/** The answer to a resume after the last event of a run that has ended. */
const noMoreEvents = 204

/**
 * The service has no more events: the portal stopped after it had stored the last line, and before it had ended the job. Without any stored
 * line, the service means the run before this one.
 */
function endStored(reply: Streamed, { storedEnd, count }: JobLog, mayArrive: boolean): Attachment {
  reply.discard()
  if (storedEnd) return { kind: 'over', end: storedEnd }
  return count === 0 ? notThere(mayArrive, reply.extensions) : over('unknown', problem('outcome_unknown'))
}

/** mayArrive: what starts the job may still be on its way. */
const notThere = (mayArrive: boolean, resumable: boolean): Attachment =>
  mayArrive ? { kind: 'cut', lines: 0, answered: false, resumable } : { kind: 'absent' }

// A service answers a resume of a running job immediately; if it does not, resuming again costs nothing.
const resumeHeadMs = 60_000

function limitsUntil(endsAt: number, mode: AttachMode): Limits {
  const ms = Math.max(1, endsAt - Date.now())
  return { headMs: mode === 'resume' ? Math.min(ms, resumeHeadMs) : ms, idleMs: ms, totalMs: ms }
}

const over = (state: JobEnd['state'], why: Problem | null): Attachment => ({ kind: 'over', end: { state, problem: why } })

const done = (answer: unknown): Attachment => ({ kind: 'over', end: { state: 'done', problem: null, answer } })

function judgeStart(outcome: Outcome<unknown>, resumable: boolean): Attachment {
  if (outcome.ok) return done(outcome.data)
  if (outcome.problem.code === 'cancelled') return over('cancelled', outcome.problem)
  if (outcome.problem.code !== 'outcome_unknown') return over('failed', outcome.problem)
  return resumable ? { kind: 'cut', lines: 0, answered: false, resumable } : over('unknown', outcome.problem)
}

/** Ends the job only for problems that waiting does not solve. */
function judgeResume(outcome: Outcome<unknown>, jobLog: JobLog, resumable: boolean, mayArrive: boolean): Attachment {
  if (outcome.ok) return done(outcome.data)
  const { code } = outcome.problem
  if (code === 'no_install' || code === 'not_found')
    return jobLog.count === 0 ? notThere(mayArrive, resumable) : over('interrupted', problem('no_install', { sentence: notKnown }))
  if (code === 'key_rejected' || code === 'key_locked' || code === 'operation_refused') return over('interrupted', outcome.problem)
  return { kind: 'cut', lines: 0, answered: false, resumable }
}

async function follow({ operation, request }: Work, reply: Streamed, mode: AttachMode, jobLog: JobLog): Promise<Attachment> {
  const reader = createStreamReader()
  const confidential = secretsOf(operation, request)
  const feed = createFeed(operation, mode, jobLog, confidential)
  const beginning = createBeginning()
  let whole = true
  for await (const chunk of wary(reply.chunks)) {
    if (chunk === null) {
      whole = false
      break
    }
    const end = await feed.take(reader.push(chunk))
    if (end) return { kind: 'over', end }
    if (feed.lines() === 0) beginning.add(chunk)
    await (jobLog.flooded ? pause(floodPauseMs) : nextTurn())
  }
  // A service that can resume sends a half-received event again; from any other this is all there will be.
  const rest = whole || !reply.extensions ? await feed.take(reader.end()) : null
  if (rest && whole) return { kind: 'over', end: rest }
  const answered = whole && feed.lines() === 0 ? await readWhole(operation, { ...beginning.reply(reply.status), confidential }, feed) : null
  if (answered) return { kind: 'over', end: answered }
  if (reply.extensions) return { kind: 'cut', lines: feed.lines(), answered: true, resumable: true }
  return whole ? endOfForeign(feed) : over('interrupted', problem('outcome_unknown'))
}

// Longer than any answer of slow work.
const maxAnswerLength = 262_144

/** Buffers everything before the first line, because it may be a complete answer instead of a stream. */
function createBeginning() {
  const chunks: Uint8Array[] = []
  let bytes = 0
  return {
    add(chunk: Uint8Array): void {
      bytes += chunk.length
      if (bytes <= maxAnswerLength) chunks.push(chunk)
    },
    reply: (status: number): Reply => ({
      status,
      contentType: null,
      body: bytes <= maxAnswerLength ? Buffer.concat(chunks).toString() : '',
    }),
  }
}

/** The end of the job according to a complete answer; null if it contains none. */
async function readWhole(operation: Operation, reply: Reply, feed: Feed): Promise<JobEnd | null> {
  const outcome = decodeAnswer(operation, reply)
  if (outcome.ok) return { state: 'done', problem: null, answer: outcome.data }
  if (outcome.problem.code === 'cancelled') return { state: 'cancelled', problem: outcome.problem }
  if (outcome.problem.code !== 'outcome_unknown') return { state: 'failed', problem: outcome.problem }
  const { event, whole } = parseEventData(withoutWarnings(reply.body), null)
  return whole ? feed.take([event]) : null
}

/** Yields null if the stream breaks, so that callers can tell this from a log that cannot be written. */
async function* wary(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array | null> {
  try {
    yield* chunks
  } catch {
    yield null
  }
}

/** Another service may not report an end: a complete stream that never mentioned a state then counts as done. */
function endOfForeign(feed: Feed): Attachment {
  if (feed.lines() === 0) return over('unknown', problem('outcome_unknown'))
  return feed.spokeOfState() ? over('interrupted', problem('outcome_unknown')) : over('done', null)
}

type Feed = { take(events: readonly ProgressEvent[]): Promise<JobEnd | null>; lines(): number; spokeOfState(): boolean }

function createFeed(operation: Operation, mode: AttachMode, jobLog: JobLog, confidential: readonly string[]): Feed {
  let lines = 0
  let spoke = false
  return {
    lines: () => lines,
    spokeOfState: () => spoke,
    async take(events) {
      if (events.length === 0) jobLog.heard()
      for (const sent of events) {
        const event = withoutSecrets(sent, confidential)
        if (mode === 'resume' && event.id !== null && event.id <= jobLog.upstreamEventId) continue
        lines += 1
        spoke ||= event.status !== undefined
        await jobLog.add(event)
        const end = endOf(operation, event)
        if (end) return end
      }
      return null
    },
  }
}

/** What an event says to people, without what was sent in confidence. Its result is for the program. */
function withoutSecrets(event: ProgressEvent, confidential: readonly string[]): ProgressEvent {
  const { message, step, error } = event
  return {
    ...event,
    message: withoutText(message, confidential),
    ...(step !== undefined && { step: withoutText(step, confidential) }),
    ...(error !== undefined && { error: withoutText(error, confidential) }),
  }
}

function endOf(operation: Operation, event: ProgressEvent): JobEnd | null {
  if (event.status === 'done') return { state: 'done', problem: null, answer: answerIn(operation, event) }
  if (event.status !== 'failed') return null
  const text = (event.error || event.message).slice(0, maxSentenceLength)
  const sentence = text ? { sentence: text } : {}
  // The service could not follow the work to its end, which says nothing about how it ended.
  const code = isJsonObject(event.result) ? event.result.code : null
  if (code === 'outcome_unknown') return { state: 'unknown', problem: problem('outcome_unknown', sentence) }
  if (code === 'cancelled') return { state: 'cancelled', problem: problem('cancelled', sentence) }
  return { state: 'failed', problem: problem('upstream_failed', sentence) }
}

/** The operation's answer in its last event; undefined if it has none that can be read. The event itself says that the work is done. */
function answerIn(operation: Operation, { result }: ProgressEvent): unknown {
  if (!isJsonObject(result)) return undefined
  const outcome = decodeAnswer(operation, { status: 200, contentType: null, body: JSON.stringify({ ...result, success: true }) })
  return outcome.ok ? outcome.data : undefined
}
