/** One change at a time per host: later ones wait their turn, but not for ever. */
import { problem } from '@/lib/contract/problem'
import { MachineFailure } from '@/lib/service/machines/machine'

export type Locks = {
  /** Runs `work` once nobody else holds `id`. Throws MachineFailure busy when that takes longer than the patience. */
  hold<T>(id: string, work: () => Promise<T>): Promise<T>
}

export function createLocks(patienceMs: number): Locks {
  const tails = new Map<string, Promise<void>>()
  return {
    async hold(id, work) {
      const before = tails.get(id) ?? Promise.resolve()
      let release = () => {}
      const mine = new Promise<void>((resolve) => {
        release = resolve
      })
      const tail = before.then(() => mine)
      tails.set(id, tail)
      try {
        await within(before, patienceMs)
        return await work()
      } finally {
        release()
        if (tails.get(id) === tail) tails.delete(id)
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
