/** Whether a database can take a write at this moment: what health answers. */
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

// Anybody may ask for health: a verdict stands this long, however often it is asked for.
const freshMs = 2_000
const patienceMs = 1_000
/** With less room than this a write that succeeds now is not followed by many. */
const leastFreeBytes = 1_048_576

/**
 * `write` commits something that changes nothing. The function returned resolves to true where it worked and the disk has room.
 * `told` hears of each change of the verdict, and of a first one that is false.
 */
export function createWriteCheck(
  file: string,
  write: () => Promise<unknown>,
  told: (writable: boolean) => void = () => {},
): () => Promise<boolean> {
  let last: { at: number; verdict: Promise<boolean> } | null = null
  let known = true
  const tell = (verdict: boolean) => {
    if (verdict !== known) told(verdict)
    known = verdict
    return verdict
  }
  return () => {
    if (last && Date.now() - last.at < freshMs) return last.verdict
    last = { at: Date.now(), verdict: check(file, write).then(tell) }
    return last.verdict
  }
}

async function check(file: string, write: () => Promise<unknown>): Promise<boolean> {
  try {
    const { bavail, bsize } = await statfs(dirname(file))
    if (bavail * bsize < leastFreeBytes) return false
    const patience = new AbortController()
    const late = delay(patienceMs, false, { signal: patience.signal, ref: false })
    const written = write().then(() => true)
    return await Promise.race([written, late.catch(() => false)]).finally(() => patience.abort())
  } catch {
    return false
  }
}
