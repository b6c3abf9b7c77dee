/** Runs a process in namespaces of its own that never outlives this one, even if this one is killed. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readlink } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'

export type Namespace = {
  /** The process outside the namespaces; when it ends, everything inside ends. */
  pid: number
  /** Sends a line to the program inside. */
  tell(line: string): void
  /** The end of its output on stdout and stderr, for error messages. */
  said(): string
  /** Null while it runs. */
  ended(): string | null
  kill(): Promise<void>
}

/**
 * Starts a program under unshare(1) with the given switches. The parent-death signal ends it with this process, and --kill-child
 * among the switches passes that on to the first process of a new pid namespace.
 */
export async function startNamespace(switches: readonly string[], program: readonly string[]): Promise<Namespace> {
  const child = spawn('setpriv', ['--pdeathsig', 'KILL', '--', 'unshare', ...switches, '--', ...program], {
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let said = ''
  const keep = (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-4000)
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  child.stdin.on('error', () => undefined)
  const pid = await startedPid(child)
  // A forgotten host must not keep the test process alive; the host ends together with it.
  for (const handle of [child, child.stdin, child.stdout, child.stderr]) (handle as { unref?: () => void }).unref?.()
  const ended = () =>
    child.exitCode === null && child.signalCode === null ? null : `ended with ${child.exitCode ?? child.signalCode}: ${said}`
  await waitForNetwork(pid, ended)
  return {
    pid,
    tell: (line) => void child.stdin.write(`${line}\n`),
    said: () => said,
    ended,
    kill: async () => {
      if (ended() !== null) return
      const closed = once(child, 'exit')
      child.ref()
      child.kill('SIGKILL')
      await closed
    },
  }
}

async function startedPid(child: ChildProcess): Promise<number> {
  await once(child, 'spawn')
  if (child.pid === undefined) throw new Error('unshare did not start.')
  return child.pid
}

/** Until unshare has entered its own network namespace, a link would be created in ours. */
async function waitForNetwork(pid: number, ended: () => string | null): Promise<void> {
  const ours = await readlink('/proc/self/ns/net')
  while ((await readlink(`/proc/${pid}/ns/net`).catch(() => ours)) === ours) {
    const end = ended()
    if (end !== null) throw new Error(`The namespace ${end}`)
    await pause(5)
  }
}
