/** The key ring in use: encrypts under its active key, decrypts under any of its keys, and reloads after a rotation. */
import 'server-only'
import { db } from '@/lib/portal/base/db'
import { processState } from '@/lib/portal/base/process-state'
import { findKekId, open, SealBroken, seal } from '@/lib/sealing/envelope'
import { loadRing, type Ring, RingError } from './ring-loading'

export { RingError, SealBroken }

// Far below the 2^32 random nonces that are safe for AES-GCM under one key.
const maxWraps = 1_000_000

const state = processState('key ring', (): { ring?: Promise<Ring> | undefined } => ({}))

/**
 * Opens the ring, or throws RingError or KeyFileError with one line that says what is wrong: a key is missing, weak, readable by
 * others, of another database, or also used for sessions. Adds the first key if nothing has been encrypted yet.
 */
export async function openRing(): Promise<void> {
  await reopen()
}

/** Encrypts under the active key and counts the use. Throws RingError once a key has been used a million times. */
export async function sealUnderRing(
  plaintext: Uint8Array,
  aad: readonly string[],
): Promise<{ sealed: Uint8Array<ArrayBuffer>; kekId: string }> {
  const { active } = await currentRing()
  // No longer active: the keys were rotated while this process ran.
  const kek = (await countWraps(active.id, 1)) ? active : (await reopen()).active
  if (kek !== active && !(await countWraps(kek.id, 1))) {
    throw new RingError(`The key ${kek.id} has encrypted ${maxWraps} secrets. Rotate the keys.`)
  }
  return { sealed: seal({ kek, plaintext, aad }), kekId: kek.id }
}

/** Counts uses of the active key before they happen. False if the key is not active, or used up. */
export async function countWraps(kekId: string, wraps: number): Promise<boolean> {
  const where = { id: kekId, state: 'active' as const, wraps: { lte: maxWraps - wraps } }
  const counted = await db().keyEncryptionKey.updateMany({ where, data: { wraps: { increment: wraps } } })
  return counted.count === 1
}

/** Decrypts a value that any key of the ring encrypted. The caller overwrites the result after use. Throws SealBroken. */
export async function openUnderRing(blob: Uint8Array, aad: readonly string[]): Promise<Buffer> {
  const kekId = findKekId(blob)
  if (kekId === null) throw new SealBroken()
  const ring = await currentRing()
  const { keks } = ring.keks.has(kekId) ? ring : await ringKnowing(kekId)
  return open({ keks: (id) => keks.get(id), blob, aad })
}

/** The keys of the ring, for rotation and verification. */
export function currentRing(): Promise<Ring> {
  return state().ring ?? reopen()
}

/** Forgets the keys; the next use opens the ring again. For rotation, and for tests that change databases. */
export function closeRing(): void {
  state().ring = undefined
}

/** A rotation in another process may have added a key: if its table has the key, reopens the ring. */
async function ringKnowing(kekId: string): Promise<Ring> {
  const known = await db().keyEncryptionKey.findFirst({ where: { id: kekId, state: { not: 'retired' } } })
  if (!known) throw new SealBroken()
  try {
    return await reopen()
  } catch {
    throw new SealBroken()
  }
}

/** Replaces the ring in use only if the new one opens. */
async function reopen(): Promise<Ring> {
  const opening = loadRing()
  state().ring ??= opening
  try {
    const ring = await opening
    state().ring = opening
    return ring
  } catch (error) {
    if (state().ring === opening) state().ring = undefined
    throw error
  }
}
