/** The processes that a launcher has started; stopped together, in reverse order. */
import { type Child, startChild } from './child'
import type { LineLog } from './pass-lines'

export type ProcessGroup = {
  /** Starts `node ...args`, like startChild. Throws once the group is stopping, because nothing more may be started then. */
  begin(name: string, args: readonly string[], env: NodeJS.ProcessEnv, log?: LineLog, graceMs?: number): Child
  stopping: AbortSignal
  /** Ends all of them. Resolves when they have ended. */
  stop(): Promise<void>
}

export function createProcessGroup(): ProcessGroup {
  const children: Child[] = []
  const stopping = new AbortController()
  return {
    stopping: stopping.signal,
    begin(name, args, env, log, graceMs) {
      stopping.signal.throwIfAborted()
      const child = startChild(name, args, env, log, graceMs)
      children.push(child)
      return child
    },
    async stop() {
      stopping.abort()
      for (const child of children.reverse()) await child.stop()
    },
  }
}
