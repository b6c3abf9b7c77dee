/** Whether a database accepts writes at the moment and its disk has space, for the health check. */
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

// Anyone may call the health check, so a result is reused for this long.
const freshMs = 2_000
const patienceMs = 1_000
/** With less space than this, a successful write does not mean that the next one succeeds. */
const leastFreeBytes = 1_048_576

/** disk: there is free space. database: it accepted a write. */
export type Writable = { disk: boolean; database: boolean }

/**
 * file: whose disk has to have space; null for none. `write` commits something that changes nothing. Calls `told` whenever it changes whether both are true, and for a first result that is false.
 */
export function createWriteCheck(
  file: string | null,
  write: () => Promise<unknown>,
  told: (writable: boolean) => void = () => {},
): () => Promise<Writable> {
  let last: { at: number; verdict: Promise<Writable> } | null = null
  let known = true
  const tell = (verdict: Writable) => {
    const writable = isWritable(verdict)
    if (writable !== known) told(writable)
    known = writable
    return verdict
  }
  return () => {
    if (last && Date.now() - last.at < freshMs) return last.verdict
    last = { at: Date.now(), verdict: check(file, write).then(tell) }
    return last.verdict
  }
}

export const isWritable = ({ disk, database }: Writable): boolean => disk && database

async function check(file: string | null, write: () => Promise<unknown>): Promise<Writable> {
  const [disk, database] = await Promise.all([file === null || hasSpace(file), accepts(write)])
  return { disk, database }
}

async function hasSpace(file: string): Promise<boolean> {
  try {
    const { bavail, bsize } = await statfs(dirname(file))
    return bavail * bsize >= leastFreeBytes
  } catch {
    return false
  }
}

async function accepts(write: () => Promise<unknown>): Promise<boolean> {
  const patience = new AbortController()
  const late = delay(patienceMs, false, { signal: patience.signal, ref: false }).catch(() => false)
  const written = write().then(
    () => true,
    () => false,
  )
  return Promise.race([written, late]).finally(() => patience.abort())
}
