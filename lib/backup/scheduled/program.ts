/** Runs age, gpg and the administrator's command: without a shell, with few variables of the environment, and never longer than this process. */
import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { programEnvironment } from '@/lib/settings/settings'

/** The end of what the program printed on standard error, which tells an administrator most. */
const maxPrinted = 300

export type Program = {
  stdin: Writable
  stdout: Readable
  /** Ends it and everything that it started. */
  kill(): void
  /** Resolves when it has ended. failed: null, or why, with the end of what it printed. Never rejects. */
  ended: Promise<{ failed: string | null }>
}

export type ProgramOptions = {
  /** Reads and writes this terminal, for a passphrase. */
  terminal?: boolean
  environment?: Record<string, string>
}

export function startProgram(file: string, args: readonly string[], { terminal = false, environment = {} }: ProgramOptions = {}): Program {
  const env = { ...programEnvironment(), ...environment } as unknown as NodeJS.ProcessEnv
  const child = spawn(file, args, { env, cwd: '/', detached: !terminal, stdio: ['pipe', 'pipe', 'pipe'] })
  const kill = () => endGroup(child, terminal)
  process.once('exit', kill)
  let printed = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    printed = (printed + text).slice(-maxPrinted)
  })
  // It may end without reading all of it; its exit code says whether that is a failure.
  child.stdin.on('error', () => undefined)
  const ended = new Promise<{ failed: string | null }>((resolve) => {
    child.once('error', (error: NodeJS.ErrnoException) =>
      resolve({ failed: error.code === 'ENOENT' ? `${file} is not installed.` : `${file} cannot be started (${error.code}).` }),
    )
    child.once('close', (code, signal) => {
      const how = signal === null ? `ended with ${code}` : `was ended by ${signal}`
      resolve({ failed: code === 0 ? null : `${file} ${how}. ${printed.trim()}`.trim() })
    })
  }).finally(() => process.off('exit', kill))
  return { stdin: child.stdin, stdout: child.stdout, kill, ended }
}

function endGroup(child: ChildProcess, alone: boolean): void {
  try {
    if (child.pid !== undefined) process.kill(alone ? child.pid : -child.pid, 'SIGKILL')
  } catch {
    // It has already ended.
  }
}
