/** A process started by the launcher. It ends with the launcher, which is notified if it ends first. */
import { type ChildProcess, spawn } from 'node:child_process'
import { type LineLog, passLines } from './pass-lines'

export type Child = {
  name: string
  process: ChildProcess
  /** Resolves with the exit code (or 128 for a signal) when the process has ended. */
  ended: Promise<number>
  /** Sends SIGTERM, and SIGKILL after the grace period. Resolves when the process has ended. */
  stop(graceMs?: number): Promise<void>
}

/**
 * Starts `node ...args` in a process group of its own, so that Ctrl-C reaches only the launcher, which decides the order of stopping. The
 * IPC channel makes the child end if the launcher is killed. With `log`, output that is not a line of Gatehouse's log is wrapped into one;
 * without it, output is passed through. usualGraceMs: of `stop`.
 */
export function startChild(name: string, args: readonly string[], env: NodeJS.ProcessEnv, log?: LineLog, usualGraceMs = 10_000): Child {
  const speech = log ? 'pipe' : 'inherit'
  const child: ChildProcess = spawn(process.execPath, args, { env, detached: true, stdio: ['ignore', speech, speech, 'ipc'] })
  if (log && child.stdout && child.stderr) {
    passLines(child.stdout, (line) => log.info({ from: name }, line))
    passLines(child.stderr, (line) => log.error({ from: name }, line))
  }
  const ended = new Promise<number>((resolve) => {
    child.once('exit', (code) => resolve(code ?? 128))
    child.once('error', () => resolve(1))
  })
  const stop = async (graceMs = usualGraceMs) => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), graceMs)
    await ended
    clearTimeout(timer)
  }
  return { name, process: child, ended, stop }
}
