/** Records the output of a running install once, however many readers there are, including none. */
import { problem } from '@/lib/contract/problem'
import { describeFailure } from '../failure'
import { type InstallJob, type InstallLine, MachineFailure } from '../machines/machine'
import { findLastEvent, findNewestRun, type InstallEvent, type InstallRun, type NewEvent } from '../store/install-runs'
import type { Store } from '../store/store'
import { openEventWriter } from './event-writer'
import type { Signals } from './signal'
import { withSilence } from './silence'

type Logger = { warn(details: object, message: string): void }

export type RecorderOptions = {
  store: Store
  signals: Signals
  log: Logger
  /** Writes an event with the current progress after this long without a line. */
  silenceMs: number
}

type Said = Pick<InstallEvent, 'step' | 'progress'>

/**
 * Follows one run to its end and writes each line as an event. `openJob` decrypts the server's key, which may fail. Returns silently when
 * aborted (the run then stays `running` and is resumed at the next start); otherwise the last event is `done` or `failed`.
 */
export async function recordRun(
  options: RecorderOptions,
  known: InstallRun,
  openJob: () => InstallJob,
  aborted: AbortSignal,
): Promise<void> {
  const { store, signals } = options
  // Another recorder may have made progress or finished since the caller read the run.
  const run = await findNewestRun(store, known.machineId)
  if (run?.id !== known.id || run.state !== 'running') return
  const writer = await openEventWriter(store, run, () => signals.tell(run.id))
  let last: Said = (await findLastEvent(store, run.id)) ?? { step: 'start', progress: 0 }
  const write = async (event: NewEvent) => {
    last = event
    await writer.write(event)
  }
  try {
    for await (const line of withSilence(openJob().follow(run.hostLines, aborted), options.silenceMs)) {
      if (line === 'silence') writer.pause()
      await write(line === 'silence' ? stillWorking(last, run) : fromHost(line))
      if (line !== 'silence' && line.status !== 'running') return
    }
    if (!aborted.aborted) await write(endedWithoutAWord(last))
  } catch (error) {
    if (aborted.aborted) return
    options.log.warn({ run: run.id, ...describeFailure(error) }, 'following an install failed')
    await write(cutOff(last, error))
  } finally {
    // Lines that are not stored now will be read from the server again.
    await writer.flush().catch(() => {})
  }
}

function fromHost({ line, step, progress, status, message, error }: InstallLine): NewEvent {
  return { step, progress, status, message, hostLine: line, ...(error === undefined ? {} : { error }) }
}

function stillWorking({ step, progress }: Said, run: InstallRun): NewEvent {
  const seconds = Math.round((Date.now() - run.startedAt.getTime()) / 1000)
  return { step, progress, status: 'running', message: `Still running, ${seconds} s after the start.` }
}

function endedWithoutAWord({ step, progress }: Said): NewEvent {
  const error = `The installation ended at “${step}” without an error message. Try again: it continues from there.`
  return { step, progress, status: 'failed', message: error, error }
}

/** The connection to the server was lost, but the install may still be running: a retry attaches to it. */
function cutOff({ step, progress }: Said, cause: unknown): NewEvent {
  const { sentence } = cause instanceof MachineFailure ? cause.problem : problem('internal')
  const error = `${sentence} The installation may still be running there: trying again follows it.`
  return { step, progress, status: 'failed', message: error, error }
}
