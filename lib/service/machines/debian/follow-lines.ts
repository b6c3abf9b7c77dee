/** Follows the event file of a job on a server, through lost connections and reboots. */
import { setTimeout as pause } from 'node:timers/promises'
import { MachineFailure } from '@/lib/service/machines/machine'
import type { Connections } from '@/lib/service/ssh/connections'
import { CutConnection } from '@/lib/service/ssh/failure'
import type { HostAddress, Request } from '@/lib/service/ssh/host-address'
import { parsePairs } from './facts/pairs'

type Numbered = { line: number; status: 'running' | 'done' | 'failed' }

export type LineSource<Line extends Numbered> = {
  /** Prints the pair `from` with the number of the line before the first it prints, then the lines after `after` until the job ends. */
  watch(after: number): Request
  /** Sees to the missing last line of a job that died; `last` is the last line that was seen. `running`: it is still to come. */
  settle(last: number): Promise<'running' | 'ended'>
  parse(text: string, line: number): Line
}

const watchLimitSeconds = 6 * 60 * 60
// The maximum length of a line, in characters.
const maxLineLength = 65_536

/** How long a server may stay unreachable, by its kind of failure. While a server boots, sshd refuses most users. */
const patienceMs: Record<string, number> = {
  unreachable: 15 * 60_000,
  too_slow: 15 * 60_000,
  outcome_unknown: 15 * 60_000,
  // Another change of Gatehouse's own.
  busy: 15 * 60_000,
  login_failed: 2 * 60_000,
}

/** How long a job may say nothing without running. */
const stalledMs = 15 * 60_000

export async function* followLines<Line extends Numbered>(
  source: LineSource<Line>,
  connections: Connections,
  host: HostAddress,
  afterLine: number,
  signal: AbortSignal,
): AsyncGenerator<Line> {
  let last = afterLine
  let ended = false
  let settledAt = -1
  let stalledAt: number | null = null
  let lostAt: number | null = null
  while (!signal.aborted) {
    try {
      for await (const line of watch(source, connections, host, last, signal)) {
        lostAt = null
        stalledAt = null
        last = line.line
        yield line
        if (line.status !== 'running') return
      }
      if (ended || signal.aborted) return
      ended = (await source.settle(last)) === 'ended'
      lostAt = null
      // Nothing new has come since the last time: another job runs, the server shuts down, or its disk has no room for a line.
      if (!ended && settledAt === last) {
        stalledAt ??= Date.now()
        ended = Date.now() - stalledAt > stalledMs
        await pause(2_000, undefined, { signal }).catch(() => {})
      }
      settledAt = last
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

/** The existing lines after `after` and new ones, until the job ends or the connection does. */
async function* watch<Line extends Numbered>(
  source: LineSource<Line>,
  connections: Connections,
  host: HostAddress,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<Line> {
  const request = { ...source.watch(after), timeoutSeconds: watchLimitSeconds }
  let held = ''
  let number: number | null = null
  for await (const text of connections.stream(host, request, signal)) {
    const lines = (held + text).split('\n')
    held = (lines.pop() ?? '').slice(0, maxLineLength)
    for (const line of lines) {
      if (number === null) number = Number(parsePairs(line).get('from') ?? after)
      else yield source.parse(line, ++number)
    }
  }
}
