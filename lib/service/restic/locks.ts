/** Removes locks of restic that nobody holds any more: those of copies and deletions that were killed. */
import * as z from 'zod'
import { resticFailure } from './failure'

/** Runs restic on one repository and returns what it prints. Throws MachineFailure. */
export type Run = (...command: string[]) => Promise<string>

/** restic renews a lock every five minutes while it works. */
const heldMs = 60 * 60_000

const lock = z.object({ time: z.coerce.date() })

/**
 * Throws MachineFailure `locked` if there is a younger lock. restic's own rule also takes a lock for abandoned if its process is not on this machine although the
 * machine has the same name, which those of a fleet may have: so restic removes locks only when all are old.
 */
export async function removeOldLocks(run: Run, now: number): Promise<void> {
  const ids = linesOf(await run('list', 'locks', '--no-lock'))
  if (ids.length === 0) return
  for (const id of ids) {
    const read = lock.safeParse(parse(await run('cat', 'lock', id, '--no-lock')))
    if (!read.success || now - read.data.time.getTime() < heldMs) throw resticFailure('locked')
  }
  await run('unlock')
}

export const linesOf = (printed: string): string[] => printed.split('\n').filter((line) => /^[0-9a-f]{64}$/.test(line))

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
