/** Work on whole servers, an install or bringing one up to date: starts it or attaches to the running one. */
import type { ProgressEvent } from '@/lib/contract/events'
import { problem } from '@/lib/contract/problem'
import { Refused } from '../failure'
import type { Locks } from '../locks'
import type { Fleet } from '../machines/fleet'
import { findMachine, type MachineRow } from '../store/machines'
import { createServerRun, findNewestServerRun, findRunningRun, type Run, type ServerOperation, serverJobs } from '../store/runs'
import type { Store } from '../store/store'
import type { Runs } from './runs'

export type ServerRuns = {
  /** Starts one that nobody asked for now, or finds the running one. Throws like startOrAttach. */
  startAtNight(operation: ServerOperation, machine: MachineRow): Promise<Run>
  /**
   * Attaches to the running one of this operation, else starts one: as `job`, if another than the usual one. Returns its events from the
   * first. Throws MachineFailure; Refused busy.
   */
  startOrAttach(
    operation: ServerOperation,
    machine: MachineRow,
    aborted: AbortSignal,
    job?: 'securityUpdates',
  ): Promise<AsyncIterable<ProgressEvent> | null>
  /** Events of the newest run after a number, to its end, null if there are no more; starts nothing on the server. Throws Refused no_install. */
  resume(
    operation: ServerOperation,
    machine: MachineRow,
    afterId: number,
    aborted: AbortSignal,
  ): Promise<AsyncIterable<ProgressEvent> | null>
}

export type ServerRunsOptions = { store: Store; fleet: Fleet<MachineRow>; locks: Locks; runs: Runs }

export function createServerRuns({ store, fleet, locks, runs }: ServerRunsOptions): ServerRuns {
  const start = (
    operation: ServerOperation,
    machine: MachineRow,
    { job, atNight = false }: { job?: 'securityUpdates'; atNight?: boolean } = {},
  ) =>
    locks.hold(machine.id, async () => {
      // The server may have been deleted during the wait for the lock.
      if (!(await findMachine(store, machine.accountId, machine.id))) throw new Refused(problem('not_found'))
      const newest = await findNewestServerRun(store, machine.id, operation)
      if (newest?.state === 'running') {
        runs.record(newest, machine)
        return newest
      }
      if (await findRunningRun(store, machine.id)) throw new Refused(problem('busy'))
      const { firstLine } = await fleet.machine(machine)[job ?? serverJobs[operation]].start()
      const run = await createServerRun(store, { machineId: machine.id, operation, hostLines: firstLine, atNight })
      runs.record(run, machine)
      return run
    })

  return {
    startAtNight: (operation, machine) => start(operation, machine, { atNight: true }),
    startOrAttach: async (operation, machine, aborted, job) => runs.read(await start(operation, machine, job ? { job } : {}), 0, aborted),
    async resume(operation, machine, afterId, aborted) {
      const run = await findNewestServerRun(store, machine.id, operation)
      if (!run) throw new Refused(problem('no_install'))
      if (run.state === 'running') runs.record(run, machine)
      return runs.read(run, afterId, aborted)
    },
  }
}
