/** Installs of servers: starts or attaches to them, records their progress, and serves any number of readers. */
import { setTimeout as pause } from 'node:timers/promises'
import type { ProgressEvent } from '@/lib/contract/events'
import { problem } from '@/lib/contract/problem'
import { describeFailure, Refused } from '../failure'
import type { Locks } from '../locks'
import type { Fleet } from '../machines/fleet'
import {
  createRun,
  findNewestRun,
  findRunState,
  type InstallEvent,
  type InstallRun,
  listEvents,
  listRunningRuns,
} from '../store/install-runs'
import { findMachine, type MachineRow } from '../store/machines'
import type { Store } from '../store/store'
import { type RecorderOptions, recordRun } from './recorder'
import { createSignals, type Signals } from './signal'

export type Installs = {
  /** Attaches to the running install, else starts one. Returns its events from the first. Throws MachineFailure. */
  startOrAttach(machine: MachineRow, aborted: AbortSignal): Promise<AsyncIterable<ProgressEvent>>
  /** Events of the newest run after a number, to its end; starts nothing on the server. Throws Refused no_install. */
  resume(machine: MachineRow, afterId: number, aborted: AbortSignal): Promise<AsyncIterable<ProgressEvent>>
  isRunning(machineId: string): Promise<boolean>
  /** Resumes recording the runs that were active when the service stopped. */
  takeUp(): Promise<void>
  /** Stops recording. The installs continue on the servers, and the runs stay `running` in the store. */
  stop(): Promise<void>
}

export type InstallsOptions = Omit<RecorderOptions, 'signals'> & { fleet: Fleet<MachineRow>; locks: Locks }

const batchSize = 200

export function createInstalls(options: InstallsOptions): Installs {
  const { store, fleet, locks, log } = options
  const signals = createSignals()
  const stopping = new AbortController()
  const recording = new Map<string, Promise<void>>()

  /** Does nothing while the run is being recorded. A run whose recorder failed (for example on a full disk) gets a new one. */
  const record = (run: InstallRun, machine: MachineRow) => {
    if (recording.has(run.id)) return
    const done = recordRun({ ...options, signals }, run, () => fleet.machine(machine).install, stopping.signal)
      .catch((error) => log.warn({ run: run.id, ...describeFailure(error) }, 'an install could not be recorded'))
      .finally(() => {
        recording.delete(run.id)
        signals.tell(run.id)
      })
    recording.set(run.id, done)
  }

  const start = (machine: MachineRow) =>
    locks.hold(machine.id, async () => {
      // The server may have been deleted during the wait for the lock.
      if (!(await findMachine(store, machine.accountId, machine.id))) throw new Refused(problem('not_found'))
      const newest = await findNewestRun(store, machine.id)
      if (newest?.state === 'running') {
        record(newest, machine)
        return newest
      }
      const { firstLine } = await fleet.machine(machine).install.start()
      const run = await createRun(store, machine.id, firstLine)
      record(run, machine)
      return run
    })

  const read = (run: InstallRun, afterId: number, aborted: AbortSignal) =>
    readRun({ store, signals }, run.id, afterId, AbortSignal.any([aborted, stopping.signal]))

  return {
    startOrAttach: async (machine, aborted) => read(await start(machine), 0, aborted),
    async resume(machine, afterId, aborted) {
      const run = await findNewestRun(store, machine.id)
      if (!run) throw new Refused(problem('no_install'))
      if (run.state === 'running') record(run, machine)
      return read(run, afterId, aborted)
    },
    isRunning: async (machineId) => (await findNewestRun(store, machineId))?.state === 'running',
    async takeUp() {
      for (const { machine, ...run } of await listRunningRuns(store)) record(run, machine)
    },
    async stop() {
      stopping.abort()
      await Promise.all(recording.values())
    },
  }
}

/** Events of a run as they come. Reads them from the store, so a slow reader needs no buffer. */
async function* readRun(
  { store, signals }: { store: Store; signals: Signals },
  runId: string,
  afterId: number,
  aborted: AbortSignal,
): AsyncGenerator<ProgressEvent> {
  let last = afterId
  while (!aborted.aborted) {
    const seen = signals.count(runId)
    const state = await findRunState(store, runId)
    const events = await listEvents(store, runId, last, batchSize)
    for (const event of events) {
      yield progressOf(event)
      last = event.id
    }
    if (events.length > 0) {
      // Database reads are synchronous, so a fast reader must let other work run between two batches.
      await pause(0)
      continue
    }
    if (state !== 'running') return
    await signals.after(runId, seen, aborted)
  }
}

function progressOf({ id, message, step, progress, status, error }: InstallEvent): ProgressEvent {
  const known = status === 'done' || status === 'failed' ? status : 'running'
  return { id, message, step, progress, status: known, ...(error === null ? {} : { error }) }
}
