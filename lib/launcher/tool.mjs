/** Runs npm, Next and Prisma: whatever ends this process also ends them and everything they started. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const keeper = fileURLToPath(new URL('keeper.mjs', import.meta.url))
const maxKept = 100_000

/**
 * Runs a program to its end in a process group of its own. A signal to this process ends the group and then this process.
 * @param {readonly string[]} command
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, signal?: AbortSignal }} [options] `signal` ends the group; the code is then not 0
 * @returns {Promise<{ code: number, output: string }>} output: the last part of what it printed on both streams
 */
export async function runTool(command, { cwd, env = { ...process.env }, signal } = {}) {
  const child = spawn(process.execPath, [keeper, ...command], { cwd, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output = (output + chunk).slice(-maxKept)))
  child.stdin.on('error', () => undefined)
  /** @type {Promise<number>} */
  const ended = new Promise((resolve, reject) => child.once('close', (code) => resolve(code ?? 1)).once('error', reject))
  const stop = () => endGroup(child.pid)
  signal?.addEventListener('abort', stop)
  const restore = endBySignal(stop, ended)
  try {
    return { code: await ended, output }
  } finally {
    signal?.removeEventListener('abort', stop)
    restore()
  }
}

/** @param {number | undefined} pid of the group's first process */
function endGroup(pid) {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // It has already ended.
  }
}

/** Until the returned function is called, a signal ends the tool, then this process. @param {() => void} stop @param {Promise<unknown>} ended */
function endBySignal(stop, ended) {
  const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])
  /** @param {NodeJS.Signals} signal */
  const end = async (signal) => {
    stop()
    await ended.catch(() => undefined)
    restore()
    process.kill(process.pid, signal)
  }
  const restore = () => {
    for (const signal of signals) process.off(signal, end)
  }
  for (const signal of signals) process.on(signal, end)
  return restore
}
