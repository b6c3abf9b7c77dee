/** A process that the launcher started: it ends with us, and we hear when it ends by itself. */
import { type ChildProcess, spawn } from 'node:child_process'

export type Child = {
  name: string
  process: ChildProcess
  /** Resolves with the exit code (or 128 for a signal) once it is gone. */
  ended: Promise<number>
  /** Asks it to end; after the grace period it is killed. Resolves when it is gone. */
  stop(graceMs?: number): Promise<void>
}

/**
 * Starts `node ...args`. It gets its own process group, so that one Ctrl-C reaches the launcher alone and the order of
 * ending is ours; the process channel makes it end when the launcher is killed.
 */
export function startChild(name: string, args: readonly string[], env: NodeJS.ProcessEnv): Child {
  const child = spawn(process.execPath, args, { env, detached: true, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const ended = new Promise<number>((resolve) => {
    child.once('exit', (code) => resolve(code ?? 128))
    child.once('error', () => resolve(1))
  })
  const stop = async (graceMs = 10_000) => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), graceMs)
    await ended
    clearTimeout(timer)
  }
  return { name, process: child, ended, stop }
}
