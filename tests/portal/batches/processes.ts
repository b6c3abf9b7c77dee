/** Portals without pages that run batches, in processes that a test can kill. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Settings } from '@/lib/settings/settings'

export function startProcess({ dataDir, keysDir }: Settings, args: string[]): ChildProcess {
  const environment = { GATEHOUSE_DATA: dataDir, GATEHOUSE_KEYS: keysDir, ALLOW_PRIVATE_UPSTREAMS: '127.0.0.0/8', LOG_LEVEL: 'error' }
  const command = ['--import', './tests/support/allow-server-only.js', '--import', 'tsx', 'tests/support/batch-process.ts', ...args]
  return spawn(process.execPath, command, {
    env: { ...process.env, NODE_ENV: 'test', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

/** Settles when the process says the word. */
export async function hear(child: ChildProcess, word: string): Promise<void> {
  let said = ''
  for await (const chunk of child.stdout ?? []) {
    said += String(chunk)
    if (said.includes(word)) return
  }
  throw new Error(`The process ended without saying ${word}.`)
}

export async function kill(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}
