/** Runs a launcher: its processes end with it, and it ends when one of them does. */
import { configurationError } from '@/lib/exit-codes.mjs'
import { ConfigurationError } from './checks'
import type { Child } from './child'
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

/**
 * Runs `bringUp`, which resolves with the processes to keep running, then waits for a signal or the end of one of them, stops all of them
 * and ends this process.
 */
export async function supervise(bringUp: (group: ProcessGroup) => Promise<Child[]>): Promise<void> {
  const group = createProcessGroup()
  const stopRequested = new Promise<'stop'>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve('stop'))
  })
  try {
    const first = await Promise.race([bringUp(group), stopRequested])
    const ended = first === 'stop' ? first : await Promise.race([stopRequested, ...first.map(endOf)])
    await group.stop()
    if (ended === 'stop') process.exit(0)
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
