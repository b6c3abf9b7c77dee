/** Brings sites of earlier versions up to date at night, on servers whose accounts said so. */

import { describeFailure, Refused } from './failure'
import type { Fleet } from './machines/fleet'
import { MachineFailure } from './machines/machine'
import type { Summaries } from './machines/summaries'
import type { ServerRuns } from './runs/server-runs'
import { listUpgradedAtNight, type MachineRow } from './store/machines'
import { findNewestServerRun } from './store/runs'
import type { Store } from './store/store'

export type NightlyUpgrades = {
  /** Begins the job on each server where it is night, it or sites of it are of an earlier version, and nothing else runs. Never rejects. */
  round(now: Date): Promise<void>
}

export type NightlyUpgradesOptions = {
  store: Store
  fleet: Fleet<MachineRow>
  summaries: Summaries
  serverRuns: ServerRuns
  log: { info(fields: object, message: string): void; error(fields: object, message: string): void }
}

/** Hours of the server's own clock: after its nightly backup, before people come. */
const [firstHour, lastHour] = [4, 5]
/** A site that could not be brought up to date restarts PHP each time, so it is not tried each night. */
const againMs = 7 * 86_400_000

export function createNightlyUpgrades({ store, fleet, summaries, serverRuns, log }: NightlyUpgradesOptions): NightlyUpgrades {
  const begin = async (machine: MachineRow, now: Date) => {
    const newest = await findNewestServerRun(store, machine.id, 'servers.upgrade')
    if (newest && now.getTime() - newest.startedAt.getTime() < againMs) return
    const { timezone, outdated_sites: sites, outdated_server: server } = await summaries.read(machine.id, () => fleet.machine(machine))
    const hour = hourIn(timezone, now)
    if (hour < firstHour || hour > lastHour || (sites.length === 0 && !server)) return
    const { id } = await serverRuns.startAtNight('servers.upgrade', machine)
    log.info({ machineId: machine.id, runId: id }, 'a server is brought up to date at night')
  }
  const round = async (now: Date) => {
    try {
      for (const machine of await listUpgradedAtNight(store)) {
        try {
          await begin(machine, now)
        } catch (error) {
          // It is busy or cannot be reached: the next round, or the next night, tries again.
          if (!(error instanceof Refused || error instanceof MachineFailure)) throw error
        }
      }
    } catch (error) {
      log.error(describeFailure(error), 'servers could not be brought up to date at night')
    }
  }
  return { round }
}

/** 0 to 23. timeZone: as the server names it; UTC if it is no zone that is known here. */
export function hourIn(timeZone: string, now: Date): number {
  try {
    return Number(new Intl.DateTimeFormat('en-GB', { hour: '2-digit', hourCycle: 'h23', timeZone: timeZone || 'UTC' }).format(now))
  } catch {
    return now.getUTCHours()
  }
}
