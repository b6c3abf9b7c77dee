/** Installs of servers: starts one or attaches to the running one. */
import type { ProgressEvent } from '@/lib/contract/events'
import { problem } from '@/lib/contract/problem'
import { Refused } from '../failure'
import type { Locks } from '../locks'
import type { Fleet } from '../machines/fleet'
import { findMachine, type MachineRow } from '../store/machines'
import { createInstallRun, findNewestInstall, findRunningRun } from '../store/runs'
import type { Store } from '../store/store'
import type { Runs } from './runs'

export type Installs = {
  /** Attaches to the running install, else starts one. Returns its events from the first. Throws MachineFailure; Refused busy. */
  startOrAttach(machine: MachineRow, aborted: AbortSignal): Promise<AsyncIterable<ProgressEvent>>
  /** Events of the newest run after a number, to its end; starts nothing on the server. Throws Refused no_install. */
  resume(machine: MachineRow, afterId: number, aborted: AbortSignal): Promise<AsyncIterable<ProgressEvent>>
}

export type InstallsOptions = { store: Store; fleet: Fleet<MachineRow>; locks: Locks; runs: Runs }

export function createInstalls({ store, fleet, locks, runs }: InstallsOptions): Installs {
  const start = (machine: MachineRow) =>
    locks.hold(machine.id, async () => {
      // The server may have been deleted during the wait for the lock.
      if (!(await findMachine(store, machine.accountId, machine.id))) throw new Refused(problem('not_found'))
      const newest = await findNewestInstall(store, machine.id)
      if (newest?.state === 'running') {
        runs.record(newest, machine)
        return newest
      }
      if (await findRunningRun(store, machine.id)) throw new Refused(problem('busy'))
      const { firstLine } = await fleet.machine(machine).install.start()
      const run = await createInstallRun(store, machine.id, firstLine)
      runs.record(run, machine)
      return run
    })

  return {
    startOrAttach: async (machine, aborted) => runs.read(await start(machine), 0, aborted),
    async resume(machine, afterId, aborted) {
      const run = await findNewestInstall(store, machine.id)
      if (!run) throw new Refused(problem('no_install'))
      if (run.state === 'running') runs.record(run, machine)
      return runs.read(run, afterId, aborted)
    },
  }
}
