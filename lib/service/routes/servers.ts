/** Servers: the list, and each server from registration to removal. */
import type { ProgressEvent } from '@/lib/contract/events'
import type { servers } from '@/lib/contract/operations/servers'
import { problem } from '@/lib/contract/problem'
import { liveDomains, takeOverCommand } from '../adoption'
import { Refused } from '../failure'
import { MachineFailure } from '../machines/machine'
import { ownerTag } from '../owner'
import { listSitesOn } from '../store/adoption'
import {
  deleteMachine,
  type ListedMachine,
  listMachines,
  type MachineRow,
  nameMachine,
  noteHostname,
  noteUpgradesAtNight,
  removeMachine,
} from '../store/machines'
import { findNewestServerRun, type ServerOperation } from '../store/runs'
import { parseEventId, requireMachine, type Service, type SubjectChecks, type SubjectRoutes } from './call'
import { register } from './register'
import { parseReentry, parseRegistration, reentryRefusals, registrationRefusals } from './registration'
import { resetKey } from './reset-key'

export const serversRoutes: SubjectRoutes<typeof servers> = {
  async list({ service, accountId }) {
    const machines = await listMachines(service.store, accountId)
    return { items: machines.map((machine) => ({ id: machine.id, ...namesOf(machine), ...extensionsOf(machine), ip: machine.ip })) }
  },

  async create({ service, accountId, input }) {
    const { machine, adopted, held } = await register(service, accountId, parseRegistration(input))
    const others = held.filter(({ copyOf }) => copyOf === '').map(({ domain, owner }) => ({ domain, owner }))
    return {
      items: [{ id: machine.id }],
      host_key: machine.hostKey,
      adopted: liveDomains(adopted),
      ...(others.length > 0 && { held: others, take_over: takeOverCommand(accountId, held) }),
    }
  },

  install: (call) => followServerRun('servers.install', call),
  upgrade: (call) => followServerRun('servers.upgrade', call),
  /** Who takes it back does not want it again the next night. */
  async revertUpgrade(call) {
    const { id } = await requireMachine(call)
    if (call.lastEventId === null) await noteUpgradesAtNight(call.service.store, id, false)
    return followServerRun('servers.revertUpgrade', call)
  },

  /** Changes only the store. */
  async upgradeAtNight(call) {
    const { id } = await requireMachine(call)
    await noteUpgradesAtNight(call.service.store, id, call.input.status)
    return {}
  },
  applyUpdates: (call) => followServerRun('servers.applyUpdates', call, call.input.security ? 'securityUpdates' : undefined),

  async summary(call) {
    const machine = await requireMachine(call)
    const newest = await findNewestServerRun(call.service.store, machine.id, 'servers.upgrade')
    const upgrades = { upgrades_at_night: machine.upgradesAtNight, ...(newest?.atNight && { night_run: newest.id }) }
    const live = await call.service.summaries.read(machine.id, () => call.service.fleet.machine(machine))
    const kept = { location: machine.region, user: machine.user, port: String(machine.port), ip: live.ip || machine.ip }
    return { item: [{ ...live, name: machine.name, dns: machine.dns, ...kept, ...upgrades, ...extensionsOf(machine) }] }
  },

  async vitals(call) {
    const machine = await requireMachine(call)
    const now = await call.service.vitals.read(machine.id, async () => call.service.fleet.machine(machine).vitals())
    const memory = { mem_free: now.memFree, mem_total: now.memTotal }
    const rest = { disk_space: now.diskUsed, disk_total: now.diskTotal, net_in: now.netIn, net_out: now.netOut }
    return { item: [{ at: now.at, cpu_busy: now.cpuBusy, cpu_all: now.cpuAll, cores: now.cores, load: [...now.load], ...memory, ...rest }] }
  },

  /** Changes only the store, so it waits neither for the server nor for other changes of it. */
  async update({ service, accountId, input }) {
    const named = await nameMachine(service.store, accountId, input.server_id, { name: input.name.trim(), dns: input.dns })
    if (!named) throw new Refused(problem('not_found'))
    return {}
  },

  async setHostname(call) {
    const { hostname } = call.input
    return changeMachine(call, async (machine) => {
      await call.service.fleet.machine(machine).setHostname(hostname)
      await noteHostname(call.service.store, machine.id, hostname)
      call.service.summaries.forget(machine.id)
    })
  },

  async resetKey(call) {
    const reentry = parseReentry(call.input)
    return changeMachine(call, (machine) => resetKey(call.service, machine, reentry))
  },

  /** Answers while the server is still running; from then on its failures are explained by the reboot. */
  async reboot(call) {
    const { fleet, reboots, summaries } = call.service
    return changeMachine(call, async (machine) => {
      await fleet.machine(machine).reboot()
      reboots.begin(machine.id)
      summaries.forget(machine.id)
    })
  },

  async delete(call) {
    const { service } = call
    const machine = await requireMachine(call)
    return service.locks.hold(machine.id, async () => {
      await requireMachine(call)
      if (await service.runs.isRunning(machine.id)) throw new Refused(problem('busy'))
      const sites = await listSitesOn(service.store, machine.id)
      await claimSites(
        service,
        machine,
        sites.map((site) => site.id),
      )
      const cleaned = await cleanUp(service, machine)
      // What is known of the sites is there again once the account adds the server again.
      await (sites.length > 0 ? removeMachine : deleteMachine)(service.store, machine.id)
      service.summaries.forget(machine.id)
      return { cleaned, staying: sites.filter(({ stagingOf }) => stagingOf === '').map(({ domain }) => domain) }
    })
  },
}

export const serversChecks: SubjectChecks<typeof servers> = {
  create: registrationRefusals,
  resetKey: reentryRefusals,
  setHostname: ({ hostname }) => ({
    hostname: hostname === 'localhost' || hostname.startsWith('localhost.') ? 'localhost is not a unique name. Enter another name.' : null,
  }),
}

/** Makes one change of a server at a time, and none during an install. Throws Refused not_found if the server was deleted during the wait. */
async function changeMachine(
  call: { service: Service; accountId: string; input: { server_id: string } },
  work: (machine: MachineRow) => Promise<void>,
): Promise<Record<never, never>> {
  const { id } = await requireMachine(call)
  await call.service.locks.hold(id, async () => {
    const machine = await requireMachine(call)
    if (await call.service.runs.isRunning(machine.id)) throw new Refused(problem('busy'))
    await work(machine)
  })
  return {}
}

/** Starts the work, or attaches to it; a client that comes back starts nothing. */
async function followServerRun(
  operation: ServerOperation,
  call: { service: Service; accountId: string; input: { server_id: string }; lastEventId: string | null; gone: AbortSignal },
  job?: 'securityUpdates',
): Promise<AsyncIterable<ProgressEvent> | null> {
  const machine = await requireMachine(call)
  const { serverRuns } = call.service
  if (call.lastEventId === null) return serverRuns.startOrAttach(operation, machine, call.gone, job)
  return serverRuns.resume(operation, machine, parseEventId(call.lastEventId), call.gone)
}

const namesOf = ({ name, hostname, dns }: ListedMachine) => ({ name, hostname, dns })

const extensionsOf = (machine: ListedMachine) => ({ provider: machine.provider, state: machine.state, host_key: machine.hostKey })

/** Records that earlier versions made do not say whose they are. Nothing is written on an unreachable server, and the account knows the ids in any case. */
async function claimSites({ fleet }: Service, machine: MachineRow, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await fleet
    .machine(machine)
    .sites.claim(ownerTag(machine.accountId), ids)
    .catch(() => undefined)
}

/** Returns false if the server is unreachable or its host key has changed: it is deleted anyway, and the response says it was not cleaned up. */
async function cleanUp({ fleet }: Service, machine: MachineRow): Promise<boolean> {
  try {
    return await fleet.machine(machine).cleanUp()
  } catch (error) {
    if (error instanceof MachineFailure) return false
    throw error
  }
}
