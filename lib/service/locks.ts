/** A lock per key: changes of one server wait for each other, up to a limit. */
import { problem } from '@/lib/contract/problem'
import { MachineFailure } from './machines/machine'

export type Locks = {
  /** Runs the work once the key is free. Throws MachineFailure busy without starting the work if the wait takes too long. */
  hold<T>(key: string, work: () => Promise<T>): Promise<T>
}

/** patienceMs: how long a caller waits for its turn. */
export function createLocks(patienceMs: number): Locks {
  const tails = new Map<string, Promise<void>>()
  return {
    async hold(key, work) {
      const before = tails.get(key) ?? Promise.resolve()
      let release = () => {}
      const mine = new Promise<void>((resolve) => {
        release = resolve
      })
      // A caller that gives up still keeps its place in the chain, so that later ones wait for earlier ones.
      const tail = before.then(() => mine)
      tails.set(key, tail)
      tail.then(() => {
        if (tails.get(key) === tail) tails.delete(key)
      })
      try {
        await within(before, patienceMs)
        return await work()
      } finally {
        release()
      }
    },
  }
}

async function within(turn: Promise<void>, patienceMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new MachineFailure(problem('busy'))), patienceMs)
  })
  await Promise.race([turn, tooLong]).finally(() => clearTimeout(timer))
}
