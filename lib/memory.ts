/** How much memory there is for Gatehouse, and what it makes of little. */
import { totalmem } from 'node:os'

const mebibyte = 1024 * 1024

/** Bytes that this process and its neighbours may use together: of the machine, or of its container or unit if that has less. */
export const memoryHere = (): number => Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)

/**
 * V8's options for one of the halves. V8 lets garbage lie while it believes that memory is plenty, and it counts neither the other half
 * nor what lies outside its heap: below 1 GiB each half gets a part. The portal's requests create a lot of short-lived garbage; where
 * there is memory, more room for it saves processor time.
 */
export function heapOptions(half: 'portal' | 'service', bytes: number = memoryHere()): string[] {
  const mebibytes = bytes / mebibyte
  if (mebibytes >= 1024) return half === 'portal' ? ['--max-semi-space-size=16'] : []
  const part = half === 'portal' ? 0.34 : 0.2
  return ['--max-semi-space-size=4', `--max-old-space-size=${Math.floor(mebibytes * part)}`]
}

/** How many computations of so many bytes each may run at once: together at most an eighth of the memory, and at least one. */
export const atOnceInMemory = (bytesEach: number, bytes: number = memoryHere()): number => Math.max(1, Math.floor(bytes / 8 / bytesEach))
