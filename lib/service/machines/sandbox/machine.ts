/** The simulated machine: the promises of a real one, kept by a model that is stored between calls. */
import { setTimeout as delay } from 'node:timers/promises'
import { problem } from '@/lib/contract/problem'
import { createLocks } from '../../locks'
import { parseSummary } from '../debian/facts/summary'
import type { Admitted, Place, Provider } from '../fleet'
import { type FirstLogin, type InstallLine, type Machine, MachineFailure } from '../machine'
import { createSandboxBackups } from './backups'
import { createSandboxCron } from './cron'
import { passDays } from './days'
import { createModel } from './fresh'
import { hostKeyOf } from './host'
import { createSandboxLogs } from './logs'
import { createSandboxMail } from './mail'
import { parseModel, renderModel, type SandboxModel } from './model'
import { renderFacts } from './render'
import { advance, beginJob, nextMomentMs } from './timeline'

/** Where models are kept, by machine id. */
export type SandboxStates = {
  load(id: string): Promise<string | null>
  save(id: string, model: string): Promise<void>
}

export type SandboxOptions = {
  states: SandboxStates
  /** How long a unit of work takes, milliseconds. An install has about 50 of them. */
  paceMs?: number
  now?: () => number
}

const longestNapMs = 500

/** Simulated machines. docs/sandbox.md says which names and hosts misbehave. */
export function createSandbox({ states, paceMs = 160, now = Date.now }: SandboxOptions): Provider<Place> {
  const locks = createLocks(10_000)

  /** Brings the model up to now, lets `work` look at it or change it, and stores it where it changed. */
  const visit = <T>(place: Place, work: (machine: SandboxModel) => T): Promise<T> =>
    locks.hold(place.id, async () => {
      const stored = await states.load(place.id)
      if (stored === null) throw new MachineFailure(problem('unreachable'))
      const machine = parseModel(stored)
      advance(machine, now())
      passDays(machine, now())
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
      await delay(Math.min(longestNapMs, Math.max(0, nextMs - now())), undefined, { signal }).catch(() => {})
    }
  }

  return {
    admit: (login, name) => admit(login, name, now()),
    machine: (place): Machine => ({
      summary: () => visit(place, (machine) => parseSummary(answerSummary(machine, now()), machine.ipv4)),
      install: {
        start: () => visit(place, (machine) => startJob(machine, now(), paceMs)),
        follow: (afterLine, signal) => follow(place, afterLine, signal),
      },
      cron: createSandboxCron((work) => visit(place, work)),
      mail: createSandboxMail((work) => visit(place, work)),
      logs: createSandboxLogs((work) => visit(place, work), now),
      backups: createSandboxBackups((work) => visit(place, work)),
      cleanUp: () => visit(place, () => true),
    }),
  }
}

function startJob(machine: SandboxModel, nowMs: number, unitMs: number): { firstLine: number; attached: boolean } {
  const attached = nextMomentMs(machine) !== null
  const passed = attached ? (machine.job?.passed ?? 0) : 0
  const firstLine = machine.lines.length - passed
  if (!attached) beginJob(machine, nowMs, unitMs)
  return { firstLine, attached }
}

/** A flaky machine lets every third caller down. */
function answerSummary(machine: SandboxModel, nowMs: number): string {
  machine.summaries += 1
  if (machine.temper === 'flaky' && machine.summaries % 3 === 0) {
    throw new MachineFailure(problem('unreachable', { sentence: 'The simulated server did not answer this time.' }))
  }
  return renderFacts(machine, nowMs)
}

async function admit(login: FirstLogin, name: string, nowMs: number): Promise<Admitted> {
  const host = login.host.toLowerCase()
  if (host === 'unreachable.test' || host.endsWith('.unreachable')) {
    throw new MachineFailure(
      problem('unreachable', { sentence: `The simulated server cannot be reached at ${login.host}, port ${login.port}.` }),
    )
  }
  const hostKey = hostKeyOf(host, login.port, 1)
  if (login.hostKey === 'ask') throw new MachineFailure(problem('host_key_unconfirmed', { hostKey }))
  if (login.hostKey !== undefined && login.hostKey !== hostKey) throw new MachineFailure(problem('host_key_changed', { hostKey }))
  if (login.pass === 'wrong') throw new MachineFailure(problem('login_failed', { sentence: 'The simulated server refused the password.' }))
  const model = createModel({ name, host, user: login.user, nowMs })
  return { hostKey, publicKey: '', privateKey: '', ip: model.ipv4, hostname: model.hostname, sandboxModel: renderModel(model) }
}

function requireOwnHostKey(place: Place, machine: SandboxModel): void {
  const hostKey = hostKeyOf(place.host.toLowerCase(), place.port, machine.rekeyed ? 2 : 1)
  if (hostKey !== place.hostKey) throw new MachineFailure(problem('host_key_changed', { hostKey }))
}
