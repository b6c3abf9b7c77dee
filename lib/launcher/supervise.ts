/** Runs a launcher: its processes end with it, and it ends when one of them does. */
import { configurationError } from '@/lib/exit-codes.mjs'
import { ConfigurationError } from './checks'
import type { Child } from './child'
import type { HandOver } from './hand-over'
import { createProcessGroup, type ProcessGroup } from './process-group'

/** The failed process has already reported the error, and ended with this code. */
export class AlreadyReported extends Error {
  constructor(readonly code: number) {
    super()
  }
}

function exitCodeOf(error: unknown): number {
  if (error instanceof AlreadyReported) return error.code
  return error instanceof ConfigurationError ? configurationError : 1
}

/** handOver: null if no upgrade can ask for a stop */
export type BroughtUp = { children: Child[]; handOver: HandOver | null }

/**
 * Runs `bringUp`, which resolves with the processes to keep running, then waits for a signal, the end of one of them or an upgrade, stops all of
 * them and ends this process, or hands over to the other version.
 */
export async function supervise(bringUp: (group: ProcessGroup) => Promise<BroughtUp>): Promise<void> {
  const group = createProcessGroup()
  const stopRequested = new Promise<'stop'>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve('stop'))
  })
  try {
    const first = await Promise.race([bringUp(group), stopRequested])
    const handOver = first === 'stop' ? null : first.handOver
    const ended =
      first === 'stop' ? first : await Promise.race([stopRequested, ...(handOver ? [handOver.asked] : []), ...first.children.map(endOf)])
    await group.stop()
    if (ended === 'stop') process.exit(0)
    if (ended === 'hand-over' && handOver) process.exit(await handOver.succeed())
    throw new Error(`The ${ended} stopped unexpectedly, so everything was stopped.`)
  } catch (error) {
    if (!(error instanceof AlreadyReported)) process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    await group.stop()
    process.exit(exitCodeOf(error))
  }
}

async function endOf(child: Child): Promise<string> {
  await child.ended
  return child.name
}
