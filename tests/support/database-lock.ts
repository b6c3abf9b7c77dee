/** Another process that holds a database's write lock, as a shell or a stalled copy does. */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

export type DatabaseLock = AsyncDisposable & {
  /** Resolves once the lock is held. */
  lock(): Promise<void>
  unlock(): Promise<void>
}

/** Starts the process. It ends, and lets go, with the test. */
export function openDatabaseLock(file: string): DatabaseLock {
  const child = spawn(process.execPath, ['tests/support/lock-process.mjs', file], { stdio: ['pipe', 'pipe', 'inherit'] })
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const say = async (word: string) => {
    child.stdin.write(`${word}\n`)
    const { value } = await answers.next()
    if (value !== word) throw new Error('The process that locks the database has ended.')
  }
  return {
    lock: () => say('lock'),
    unlock: () => say('unlock'),
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve())
        child.kill('SIGKILL')
      }),
  }
}
