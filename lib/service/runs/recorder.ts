/** Records the output of a run once, however many readers there are, including none. */
import { problem } from '@/lib/contract/problem'
import { describeFailure } from '../failure'
import { MachineFailure } from '../machines/machine'
import type { SiteJobLine } from '../machines/sites'
import { findLastEvent, findRun, type NewEvent, type Run, type RunEvent } from '../store/runs'
import type { Store } from '../store/store'
import { openEventWriter } from './event-writer'
import { renderResult } from './result'
import type { Signals } from './signal'
import { withSilence } from './silence'
import { describeEndless, describeLoss } from './words'

type Logger = { warn(details: object, message: string): void }

export type RecorderOptions = {
  store: Store
  signals: Signals
  log: Logger
  /** Writes an event with the current progress after this long without a line. */
  silenceMs: number
}

/** Work on a server that prints lines; lines of an install never have a problem or an answer. */
export type FollowedJob = { follow(afterLine: number, signal: AbortSignal): AsyncIterable<SiteJobLine> }

type Said = Pick<RunEvent, 'step' | 'progress'>

/**
 * Follows one run to its end and writes each line as an event. `openJob` decrypts the server's key, which may fail. Returns silently when
 * aborted (the run then stays `running` and is resumed at the next start); otherwise the last event is `done` or `failed`.
 * @returns whether the server itself ended the work now
 */
export async function recordRun(options: RecorderOptions, known: Run, openJob: () => FollowedJob, aborted: AbortSignal): Promise<boolean> {
  const { store, signals } = options
  // Another recorder may have made progress or finished since the caller read the run.
  const run = await findRun(store, known.id)
  if (run?.state !== 'running') return false
  const writer = await openEventWriter(store, run, () => signals.tell(run.id))
  let last: Said = (await findLastEvent(store, run.id)) ?? { step: 'start', progress: 0 }
  const write = async (event: NewEvent) => {
    last = event
    await writer.write(event)
  }
  try {
    for await (const line of withSilence(openJob().follow(run.hostLines, aborted), options.silenceMs)) {
      if (line === 'silence') writer.pause()
      await write(line === 'silence' ? stillWorking(last, run) : fromHost(run, line))
      if (line !== 'silence' && line.status !== 'running') return true
    }
    if (!aborted.aborted) await write(cutOff(run, last, describeEndless(run, last.step)))
  } catch (error) {
    if (aborted.aborted) return false
    options.log.warn({ run: run.id, operation: run.operation, ...describeFailure(error) }, 'following a run failed')
    const { sentence } = error instanceof MachineFailure ? error.problem : problem('internal')
    await write(cutOff(run, last, describeLoss(run, sentence)))
  } finally {
    // Lines that are not stored now will be read from the server again.
    await writer.flush().catch(() => {})
  }
  return false
}

function fromHost(run: Run, jobLine: SiteJobLine): NewEvent {
  const { line, step, progress, status, message, error } = jobLine
  const result = status === 'running' ? null : renderResult(run, jobLine)
  return {
    step,
    progress,
    status,
    message,
    hostLine: line,
    ...(error !== undefined && { error }),
    ...(result !== null && { result }),
    ...(jobLine.halfDone && { lost: true }),
    ...(jobLine.aliases && { aliases: jobLine.aliases }),
  }
}

function stillWorking({ step, progress }: Said, run: Run): NewEvent {
  const seconds = Math.round((Date.now() - run.startedAt.getTime()) / 1000)
  return { step, progress, status: 'running', message: `Still running, ${seconds} s after the start.` }
}

/** The work may still be running on the server. */
function cutOff(run: Run, { step, progress }: Said, error: string): NewEvent {
  const result = renderResult(run, { status: 'failed', error, problem: 'outcome_unknown' })
  return { step, progress, status: 'failed', message: error, error, lost: true, ...(result !== null && { result }) }
}
