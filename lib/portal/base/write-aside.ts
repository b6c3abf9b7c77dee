/** Writes that no caller waits for, such as the time something was last seen or used. */
import 'server-only'
import { log } from '@/lib/log'
import { processState } from './process-state'

const asideWrites = processState('aside writes', () => new Map<string, Promise<void>>())

/** Starts the write unless one for this key is running. A failure is logged; the next call writes again. */
export function writeAside(key: string, write: () => Promise<unknown>): void {
  const underWay = asideWrites()
  if (underWay.has(key)) return
  const writing = write()
    .then(
      () => {},
      (error: unknown) => log.warn({ err: error, key }, 'a last-used time could not be written'),
    )
    .finally(() => underWay.delete(key))
  underWay.set(key, writing)
}

/** Resolves when all running writes have settled. */
export async function settleAsideWrites(): Promise<void> {
  await Promise.all(asideWrites().values())
}
