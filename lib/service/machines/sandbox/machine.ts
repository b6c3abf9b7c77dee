/** The provider `sandbox`: does what a real server does, on a model that is stored between calls. */
import { setTimeout as delay } from 'node:timers/promises'
import { problem } from '@/lib/contract/problem'
import { createLocks } from '../../locks'
import { parseSummary } from '../debian/facts/summary'
import type { Admitted, Place, Provider } from '../fleet'
import { nameInHosts } from '../hosts-file'
import { type Admission, type FirstLogin, type InstallLine, type Machine, MachineFailure } from '../machine'
import { noRecords, type SiteRecords } from '../site-records'
import { createSandboxBackups } from './backups'
import { pruneSimulated, simulateCheck, simulateMaintenance } from './copies'
import { createSandboxCron } from './cron'
import { simulateDays } from './days'
import { noteBoot } from './events'
import { createSandboxFirewall } from './firewall'
import { createModel } from './fresh'
import { hostKeyOf } from './host'
import { createSandboxLogs } from './logs'
import { createSandboxMail } from './mail'
import { parseModel, renderModel, type SandboxModel } from './model'
import { renderFacts } from './render'
import { createSandboxServices } from './services'
import { isRunningAt } from './site-job-lines'
import { advanceSites } from './site-jobs'
import { createSandboxSites } from './sites'
import { advance, beginJob, beginRevert, beginUpdates, beginUpgrade, nextMomentMs } from './timeline'
import { createSandboxUsers } from './users'
import { vitalsOf } from './vitals'

/** Where models are stored, by server id. */
export type SandboxStates = {
  load(id: string): Promise<string | null>
  save(id: string, model: string): Promise<void>
}

export type SandboxOptions = {
  states: SandboxStates
  /** The duration of one unit of work, milliseconds. An install has about 50 of them. */
  paceMs?: number
  now?: () => number
}

const maxNapMs = 500

/** Sandbox servers. docs/sandbox.md lists the names and hosts that simulate faults. */
export function createSandbox({ states, paceMs = 160, now = Date.now }: SandboxOptions): Provider<Place> {
  const locks = createLocks(10_000)

  /** Brings the model up to date, lets `work` read or change it, and stores it if it changed. */
  const visit = <T>(place: Visited, work: (machine: SandboxModel) => T): Promise<T> =>
    locks.hold(place.id, async () => {
      const stored = await states.load(place.id)
      if (stored === null) throw new MachineFailure(problem('unreachable'))
      const machine = parseModel(stored)
      advance(machine, now())
      advanceSites(machine, now())
      simulateDays(machine, now())
      if (now() < machine.bootedAtMs) throw new MachineFailure(problem('unreachable'))
      requireOwnHostKey(place, machine)
      try {
        return work(machine)
      } finally {
        const model = renderModel(machine)
        if (model !== stored) await states.save(place.id, model)
      }
    })

  async function* follow(place: Place, afterLine: number, signal: AbortSignal): AsyncGenerator<InstallLine> {
    let last = afterLine
    while (!signal.aborted) {
      const { lines, nextMs } = await visit(place, (machine) => ({
        lines: machine.lines.filter(({ line }) => line > last),
        nextMs: nextMomentMs(machine),
      }))
      for (const line of lines) {
        yield line
        last = line.line
      }
      if (nextMs === null) return
      await delay(Math.min(maxNapMs, Math.max(0, nextMs - now())), undefined, { signal }).catch(() => {})
    }
  }

  return {
    async admit(login, name, former) {
      const admitted = await admit(login, name, now())
      if (former === null) return admitted
      const { sandboxModel: _, ...rest } = admitted
      return visit(former, (machine) => ({ ...rest, ip: machine.ipv4, hostname: machine.hostname, records: recordsOf(machine) }))
    },
    readmit: (place, login) => visit({ ...place, hostKey: null }, (machine) => readmit(machine, place, login)),
    pruneCopies: async (target, snapshots) => pruneSimulated(target, snapshots),
    checkMaintenance: async (target) => simulateMaintenance(target),
    machine: (place): Machine => ({
      summary: () => visit(place, (machine) => parseSummary(answerSummary(machine, now()), machine.ipv4)),
      vitals: () => visit(place, (machine) => vitalsOf(machine, now())),
      install: {
        start: () => visit(place, (machine) => startJob('install', machine, now(), paceMs)),
        follow: (afterLine, signal) => follow(place, afterLine, signal),
      },
      revertUpgrade: {
        start: () => visit(place, (machine) => startJob('revertUpgrade', machine, now(), paceMs)),
        follow: (afterLine, signal) => follow(place, afterLine, signal),
      },
      updates: {
        start: () => visit(place, (machine) => startJob('updates', machine, now(), paceMs)),
        follow: (afterLine, signal) => follow(place, afterLine, signal),
      },
      securityUpdates: {
        start: () => visit(place, (machine) => startJob('securityUpdates', machine, now(), paceMs)),
        follow: (afterLine, signal) => follow(place, afterLine, signal),
      },
      upgrade: {
        start: () => visit(place, (machine) => startJob('upgrade', machine, now(), paceMs)),
        follow: (afterLine, signal) => follow(place, afterLine, signal),
      },
      services: createSandboxServices((work) => visit(place, work), now),
      cron: createSandboxCron((work) => visit(place, work)),
      setHostname: (name) => visit(place, (machine) => setHostname(machine, name)),
      reboot: () => visit(place, (machine) => reboot(machine, now(), paceMs)),
      // There is no key to remove.
      retireKey: () => visit(place, () => {}),
      users: createSandboxUsers((work) => visit(place, work), place.user),
      firewall: createSandboxFirewall((work) => visit(place, work), place.port),
      mail: createSandboxMail((work) => visit(place, work)),
      logs: createSandboxLogs((work) => visit(place, work), now),
      backups: createSandboxBackups((work) => visit(place, work), now),
      sites: createSandboxSites({ visit: (work) => visit(place, work), paceMs, now }),
      checkTarget: (target) => visit(place, () => simulateCheck(target)),
      pruneCopies: (target, snapshots) => visit(place, () => pruneSimulated(target, snapshots)),
      cleanUp: () => visit(place, () => true),
    }),
  }
}

type Start = { firstLine: number; attached: boolean }

/** Throws MachineFailure busy while work on a site runs, or a run of another kind. */
const beginners = {
  install: beginJob,
  upgrade: beginUpgrade,
  revertUpgrade: beginRevert,
  updates: (machine: SandboxModel, nowMs: number, unitMs: number) => beginUpdates(machine, nowMs, unitMs, false),
  securityUpdates: (machine: SandboxModel, nowMs: number, unitMs: number) => beginUpdates(machine, nowMs, unitMs, true),
} as const
type Kind = keyof typeof beginners

function kindOf(job: SandboxModel['job']): Kind {
  if (job?.updates) return 'updates'
  return job?.upgrades ? (job.reverts ? 'revertUpgrade' : 'upgrade') : 'install'
}

function startJob(kind: Kind, machine: SandboxModel, nowMs: number, unitMs: number): Start {
  const attached = nextMomentMs(machine) !== null
  const isOther = attached && kindOf(machine.job) !== kind
  if (isOther || machine.siteJobs.some((job) => isRunningAt(job, nowMs))) throw new MachineFailure(problem('busy'))
  const passed = attached ? (machine.job?.passed ?? 0) : 0
  const firstLine = machine.lines.length - passed
  if (!attached) beginners[kind](machine, nowMs, unitMs)
  return { firstLine, attached }
}

/** Every third summary of a flaky server fails. */
function answerSummary(machine: SandboxModel, nowMs: number): string {
  machine.summaries += 1
  if (machine.temper === 'flaky' && machine.summaries % 3 === 0) {
    throw new MachineFailure(problem('unreachable', { sentence: 'The simulated server didn’t respond this time.' }))
  }
  return renderFacts(machine, nowMs)
}

async function admit(login: FirstLogin, name: string, nowMs: number): Promise<Admitted> {
  const host = login.host.toLowerCase()
  if (host === 'unreachable.test' || host.endsWith('.unreachable')) {
    throw new MachineFailure(
      problem('unreachable', { sentence: `The simulated server is unreachable at ${login.host}, port ${login.port}.` }),
    )
  }
  const hostKey = hostKeyOf(host, login.port, 1)
  letIn(login, hostKey)
  const model = createModel({ name, host, user: login.user, nowMs })
  const shown = { hostKey, publicKey: '', privateKey: '', ip: model.ipv4, hostname: model.hostname }
  return { ...shown, records: noRecords, sandboxModel: renderModel(model) }
}

/** Runs the checks that apply to every login. */
function letIn(login: FirstLogin, hostKey: string): void {
  if (login.hostKey === 'ask') throw new MachineFailure(problem('host_key_unconfirmed', { hostKey }))
  if (login.hostKey !== undefined && login.hostKey !== hostKey) throw new MachineFailure(problem('host_key_changed', { hostKey }))
  if (login.pass === 'wrong') throw new MachineFailure(problem('login_failed', { sentence: 'The simulated server refused the password.' }))
}

function readmit(machine: SandboxModel, place: Place, login: FirstLogin): Admission {
  const hostKey = shownKeyOf(place, machine)
  letIn(login, hostKey)
  return { hostKey, publicKey: '', privateKey: '', ip: machine.ipv4, hostname: machine.hostname, records: recordsOf(machine) }
}

/** What a real server tells of its sites. Nobody else logs in to a simulated one. */
function recordsOf({ sites }: SandboxModel): SiteRecords {
  const records = sites.map(({ id, name, domain, aliases, owner, staging }) => ({
    id,
    name,
    domain,
    aliases,
    owner,
    isBeingDeleted: false,
    copyOf: sites.find((live) => live.id === staging?.of)?.name ?? '',
  }))
  return { sites: records, shared: false }
}

function setHostname(machine: SandboxModel, name: string): void {
  machine.files['/etc/hosts'] = nameInHosts(machine.files['/etc/hosts'] ?? '', machine.hostname, name)
  machine.hostname = name
}

/** The server is unreachable until 100 units of work have passed: 16 seconds at the usual pace. */
function reboot(machine: SandboxModel, nowMs: number, unitMs: number): void {
  noteBoot(machine)
  machine.bootedAtMs = nowMs + 100 * unitMs
  machine.rebootRequired = false
}

/** hostKey: null if the caller does not know it. */
type Visited = Omit<Place, 'hostKey'> & { hostKey: string | null }

const shownKeyOf = (place: Pick<Place, 'host' | 'port'>, { rekeyed }: SandboxModel): string =>
  hostKeyOf(place.host.toLowerCase(), place.port, rekeyed ? 2 : 1)

function requireOwnHostKey(place: Visited, machine: SandboxModel): void {
  const hostKey = shownKeyOf(place, machine)
  if (place.hostKey !== null && hostKey !== place.hostKey) throw new MachineFailure(problem('host_key_changed', { hostKey }))
}
