/** Runs of slow work on servers: each is recorded once, and read by any number of clients. */
import { setTimeout as pause } from 'node:timers/promises'
import type { ProgressEvent } from '@/lib/contract/events'
import { problem } from '@/lib/contract/problem'
import { describeFailure } from '../failure'
import type { Fleet } from '../machines/fleet'
import { MachineFailure } from '../machines/machine'
import type { MachineRow } from '../store/machines'
import { revealSecret } from '../store/run-secrets'
import { findRun, findRunningRun, listEvents, listRunningRuns, type Run, type RunEvent, serverJobs } from '../store/runs'
import { type FollowedJob, type RecorderOptions, recordRun } from './recorder'
import { createSignals } from './signal'

export type Runs = {
  /** Does nothing while the run is being recorded. A run whose recorder failed (for example on a full disk) gets a new one. */
  record(run: Run, machine: MachineRow): void
  /** Events of a run after a number, to its end; null if it has ended and there are none. */
  read(run: Run, afterId: number, aborted: AbortSignal): Promise<AsyncIterable<ProgressEvent> | null>
  /** Resolves with the run once it has ended; null if its server was deleted. With one still running if aborted. */
  end(run: Run, aborted: AbortSignal): Promise<Run | null>
  /** The JSON answer of a finished run, with the secret that it shows, if that is still kept. */
  answerOf(run: Run): string | null
  /** Whether slow work is running on a server. */
  isRunning(machineId: string): Promise<boolean>
  /** Resumes recording the runs that were active when the service stopped. */
  takeUp(): Promise<void>
  /** Stops recording. The work continues on the servers, and the runs stay `running` in the store. */
  stop(): Promise<void>
}

export type RunsOptions = Omit<RecorderOptions, 'signals'> & {
  fleet: Fleet<MachineRow>
  /** Called after the server ended the work of a run. */
  onEnd?: (run: Run) => void
}

const batchSize = 200

export function createRuns(options: RunsOptions): Runs {
  const { store, fleet, log } = options
  const signals = createSignals()
  const stopping = new AbortController()
  const recording = new Map<string, Promise<void>>()

  const jobOf = (run: Run, machine: MachineRow): FollowedJob => {
    const opened = fleet.machine(machine)
    // Jobs of sites have the same lines whatever they do; others are of a kind that has to be known.
    if (run.siteId !== null) return { follow: (afterLine, signal) => opened.sites.follow(run.id, afterLine, signal) }
    if (run.operation === null) throw new MachineFailure(problem('outcome_unknown'))
    return opened[serverJobs[run.operation]]
  }

  /** The job's files are no longer needed once its last line is stored. The server deletes them itself if this fails. */
  const tidy = async (run: Run, machine: MachineRow) => {
    if (run.siteId !== null) await fleet.machine(machine).sites.forget(run.id)
  }

  const record = (run: Run, machine: MachineRow) => {
    if (recording.has(run.id)) return
    const done = recordRun({ ...options, signals }, run, () => jobOf(run, machine), stopping.signal)
      .catch((error) => {
        log.warn({ run: run.id, operation: run.operation, ...describeFailure(error) }, 'a run could not be recorded')
        return false
      })
      .then(async (ended) => {
        recording.delete(run.id)
        signals.tell(run.id)
        if (!ended) return
        options.onEnd?.(run)
        await tidy(run, machine).catch(() => {})
      })
    recording.set(run.id, done)
  }

  /** Reads events from the store as they come, so a slow reader needs no buffer. */
  async function* read(run: Run, afterId: number, aborted: AbortSignal): AsyncGenerator<ProgressEvent> {
    let last = afterId
    while (!aborted.aborted) {
      const seen = signals.count(run.id)
      const present = await findRun(store, run.id)
      const events = await listEvents(store, run.id, last, batchSize)
      for (const event of events) {
        const ended = event.status === 'running' ? null : await findRun(store, run.id)
        yield progressOf(event, ended && revealSecret(store, ended))
        last = event.id
      }
      if (events.length > 0) {
        // Database reads are synchronous, so a fast reader must let other work run between two batches.
        await pause(0)
        continue
      }
      if (present?.state !== 'running') return
      await signals.after(run.id, seen, aborted)
    }
  }

  return {
    record,
    async read(run, afterId, aborted) {
      const present = await findRun(store, run.id)
      const [next] = present?.state === 'running' ? [] : await listEvents(store, run.id, afterId, 1)
      return present?.state === 'running' || next ? read(run, afterId, AbortSignal.any([aborted, stopping.signal])) : null
    },
    async end(run, given) {
      const aborted = AbortSignal.any([given, stopping.signal])
      for (;;) {
        const seen = signals.count(run.id)
        const present = await findRun(store, run.id)
        if (present?.state !== 'running' || aborted.aborted) return present
        await signals.after(run.id, seen, aborted)
      }
    },
    answerOf: (run) => revealSecret(store, run),
    isRunning: async (machineId) => (await findRunningRun(store, machineId)) !== null,
    async takeUp() {
      for (const { machine, run } of await listRunningRuns(store)) record(run, machine)
    },
    async stop() {
      stopping.abort()
      await Promise.all(recording.values())
    },
  }
}

/** answer: of the run, for its last event. */
function progressOf({ id, message, step, progress, status, error }: RunEvent, answer: string | null): ProgressEvent {
  const result: unknown = answer ? JSON.parse(answer) : undefined
  return { id, message, step, progress, status, ...(error !== null && { error }), ...(result !== undefined && { result }) }
}
