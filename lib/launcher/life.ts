/** The life of a launcher: what it starts ends with it, and it ends when one of them does. */
import type { Child } from './child'

/** Runs `bringUp`, then waits for a signal or the end of a child; ends the children in reverse order and the process itself. */
export async function live(bringUp: (children: Child[]) => Promise<void>): Promise<void> {
  const children: Child[] = []
  const stopAll = async () => {
    for (const child of [...children].reverse()) await child.stop()
  }
  const stopRequested = new Promise<'stop'>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve('stop'))
  })
  try {
    const first = await Promise.race([bringUp(children), stopRequested])
    const ended = first === 'stop' ? first : await Promise.race([stopRequested, ...children.map(endOf)])
    await stopAll()
    if (ended === 'stop') process.exit(0)
    throw new Error(`The ${ended} ended by itself, so everything was stopped.`)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    await stopAll()
    process.exit(1)
  }
}

async function endOf(child: Child): Promise<string> {
  await child.ended
  return child.name
}
