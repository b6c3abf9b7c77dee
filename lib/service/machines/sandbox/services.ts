/** The services of a sandbox server. */
import { problem } from '@/lib/contract/problem'
import { MachineFailure } from '../machine'
import { describeServices, noSuchService, type Services, type UnitState } from '../services'
import type { SandboxModel } from './model'
import { isRunningAt } from './site-job-lines'
import { nextMomentMs } from './timeline'

/** `visit` runs work on the model, one at a time, and stores the changed model. */
export function createSandboxServices(visit: <T>(work: (machine: SandboxModel) => T) => Promise<T>, now: () => number): Services {
  return {
    list: () => visit((machine) => describeServices(unitsOf(machine))),
    restart: (unit) => visit((machine) => restart(machine, unit, now())),
  }
}

/** PHP of a site runs while the site is there. */
function unitsOf({ services, serviceStarts, sites, bootedAtMs }: SandboxModel): UnitState[] {
  const since = (unit: string) => Math.floor((serviceStarts[unit] ?? bootedAtMs) / 1000)
  const ofSites = sites.map(({ name, settings }) => ({
    unit: `gatehouse-php${settings.php || '8.2'}@${name}.service`,
    state: 'running' as const,
    since: since(`gatehouse-php${settings.php || '8.2'}@*.service`),
  }))
  return [...Object.entries(services).map(([unit, state]) => ({ unit, state, since: since(unit) })), ...ofSites]
}

function restart(machine: SandboxModel, unit: string, nowMs: number): void {
  if (!describeServices(unitsOf(machine)).some((service) => service.unit === unit)) throw new MachineFailure(noSuchService(unit))
  if (nextMomentMs(machine) !== null || machine.siteJobs.some((job) => isRunningAt(job, nowMs))) throw new MachineFailure(problem('busy'))
  if (unit in machine.services) machine.services[unit] = 'running'
  machine.serviceStarts[unit] = nowMs
}
