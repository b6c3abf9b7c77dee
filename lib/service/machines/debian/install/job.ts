/** The install as a job on the server itself: started once, followed by any client, and independent of the service. */
import { setTimeout as pause } from 'node:timers/promises'
import { type InstallJob, type InstallLine, MachineFailure } from '@/lib/service/machines/machine'
import type { Connections } from '@/lib/service/ssh/connections'
import { CutConnection } from '@/lib/service/ssh/failure'
import type { HostAddress } from '@/lib/service/ssh/host-address'
import { parsePairs } from '../facts/pairs'
import { requireDone } from '../require-done'
import { readScript } from '../script'
import { installJob } from '../steps/steps'
import { parseInstallLine } from './line'

const startScript = readScript(import.meta.url, 'run-files.bash', 'start.bash')
const firewallScript = readScript(import.meta.url, 'firewall-is-on.bash')
const watchScript = readScript(import.meta.url, 'run-files.bash', 'watch.bash')
const settleScript = readScript(import.meta.url, 'run-files.bash', 'settle.bash')

const watchLimitSeconds = 6 * 60 * 60
// The maximum length of a line, in characters.
const maxLineLength = 65_536

/** How long a server may stay unreachable, by its kind of failure. While a server boots, sshd refuses most users. */
const patienceMs: Record<string, number> = {
  unreachable: 15 * 60_000,
  too_slow: 15 * 60_000,
  outcome_unknown: 15 * 60_000,
  login_failed: 2 * 60_000,
}

export function createInstallJob(connections: Connections, host: HostAddress): InstallJob {
  return {
    start: async () => {
      const values = [installJob, String(host.port), (await isCutOff(connections, host)) ? 'cut off' : '']
      const result = await connections.change(host, { script: startScript, values })
      const answer = parsePairs(requireDone(result, 'start the installation').stdout)
      const attached = answer.has('attached')
      return { attached, firstLine: Number(answer.get(attached ? 'attached' : 'started')) }
    },
    follow: (afterLine, signal) => follow(connections, host, afterLine, signal),
  }
}

const newLoginMs = 15_000

/** Whether Gatehouse's firewall allows the present connection but would refuse a new one. */
async function isCutOff(connections: Connections, host: HostAddress): Promise<boolean> {
  if ((await connections.read(host, { script: firewallScript })).stdout.trim() !== 'on') return false
  const isUnreachable = (error: unknown) => error instanceof MachineFailure && error.problem.code === 'unreachable'
  return connections.onNewConnection(host, { script: ':' }, newLoginMs).then(() => false, isUnreachable)
}

async function* follow(connections: Connections, host: HostAddress, afterLine: number, signal: AbortSignal): AsyncGenerator<InstallLine> {
  let last = afterLine
  let ended = false
  let lostAt: number | null = null
  while (!signal.aborted) {
    try {
      for await (const line of watch(connections, host, last, signal)) {
        lostAt = null
        last = line.line
        yield line
        if (line.status !== 'running') return
      }
      if (ended || signal.aborted) return
      const result = await connections.change(host, { script: settleScript, values: [String(last)] })
      ended = requireDone(result, 'check the installation').stdout.trim() === 'ended'
      lostAt = null
    } catch (error) {
      if (signal.aborted) return
      lostAt ??= Date.now()
      if (Date.now() - lostAt > patienceFor(error)) throw error
      await pause(1_000, undefined, { signal }).catch(() => {})
    }
  }
}

function patienceFor(error: unknown): number {
  if (error instanceof CutConnection) return patienceMs.unreachable ?? 0
  return error instanceof MachineFailure ? (patienceMs[error.problem.code] ?? 0) : 0
}

/** The existing lines after `after` and new ones, until the run ends or the connection does. */
async function* watch(connections: Connections, host: HostAddress, after: number, signal: AbortSignal): AsyncGenerator<InstallLine> {
  const request = { script: watchScript, values: [String(after)], timeoutSeconds: watchLimitSeconds }
  let held = ''
  let number: number | null = null
  for await (const text of connections.stream(host, request, signal)) {
    const lines = (held + text).split('\n')
    held = (lines.pop() ?? '').slice(0, maxLineLength)
    for (const line of lines) {
      if (number === null) number = Number(parsePairs(line).get('from') ?? after)
      else yield parseInstallLine(line, ++number)
    }
  }
}
