/** Whether a database accepts writes at the moment, for the health check. */
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

// Anyone may call the health check, so a result is reused for this long.
const freshMs = 2_000
const patienceMs = 1_000
/** With less space than this, a successful write does not mean that the next one succeeds. */
const leastFreeBytes = 1_048_576

/**
 * `write` commits something that changes nothing. The returned function resolves to true if that succeeded and the disk has free space.
 * Calls `told` whenever the result changes, and for a first result that is false.
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
