/** The key ring: which key-encryption keys there are, which one seals, and the proof at boot that each is the right one. */
import 'server-only'
import { existsSync } from 'node:fs'
import { findKekId, open, SealBroken, seal } from '@/lib/sealing/envelope'
import type { Kek } from '@/lib/sealing/kek'
import { KeyFileError, readKeyFile } from '@/lib/sealing/key-file'
import { getSettings } from '@/lib/settings/settings'
import type { KeyRing } from '@/prisma/generated/portal/client'
import { db } from '../db'
import { bindCanary } from './binding'
import { findProvider, type KekProvider } from './provider'

/** The ring and this installation's keys do not fit; the message is one line for the operator. */
export class RingError extends KeyFileError {
  override name = 'RingError'
}

type Ring = { active: Kek; keks: ReadonlyMap<string, Kek> }

// Far below the 2^32 random nonces that AES-GCM bears under one key.
const maxWraps = 1_000_000
const canaryText = 'gatehouse canary'

// Route bundles may each load this module: the ring hangs on the process, not on the module.
const holder: { gatehouseRing?: Promise<Ring> | undefined } = globalThis as object

/**
 * Opens the ring, or throws RingError or KeyFileError with one line that names what is wrong: a key missing, weak, too
 * open, of another database, or used for sessions too. The first key is entered when nothing was ever sealed.
 */
export async function openRing(): Promise<void> {
  await reopen()
}

/** Seals under the active key and counts the use. Throws RingError once a key has sealed a million times. */
export async function sealUnderRing(
  plaintext: Uint8Array,
  aad: readonly string[],
): Promise<{ sealed: Uint8Array<ArrayBuffer>; kekId: string }> {
  const { active } = await currentRing()
  const counted = await db().keyRing.updateMany({ where: { id: active.id, wraps: { lt: maxWraps } }, data: { wraps: { increment: 1 } } })
  if (counted.count !== 1) throw new RingError(`The key ${active.id} has sealed ${maxWraps} secrets, or left the ring. Rotate the keys.`)
  return { sealed: seal({ kek: active, plaintext, aad }), kekId: active.id }
}

/** Opens what was sealed under any key of the ring. The caller wipes the answer. Throws SealBroken. */
export async function openUnderRing(blob: Uint8Array, aad: readonly string[]): Promise<Buffer> {
  const kekId = findKekId(blob)
  if (kekId === null) throw new SealBroken()
  const ring = await currentRing()
  const { keks } = ring.keks.has(kekId) ? ring : await ringKnowing(kekId)
  return open({ keks: (id) => keks.get(id), blob, aad })
}

/** The keys of the ring, for rotation and verification. */
export function currentRing(): Promise<Ring> {
  return holder.gatehouseRing ?? reopen()
}

/** Forgets the keys: the next use opens the ring again. For rotation, and for tests that change databases. */
export function closeRing(): void {
  holder.gatehouseRing = undefined
}

/** A rotation elsewhere may have brought in a key since boot: one that the table knows makes us open the ring anew. */
async function ringKnowing(kekId: string): Promise<Ring> {
  const known = await db().keyRing.findFirst({ where: { id: kekId, state: { not: 'retired' } } })
  if (!known) throw new SealBroken()
  try {
    return await reopen()
  } catch {
    throw new SealBroken()
  }
}

/** Replaces the ring in use only when the new one opens. */
async function reopen(): Promise<Ring> {
  const opening = loadRing()
  holder.gatehouseRing ??= opening
  try {
    const ring = await opening
    holder.gatehouseRing = opening
    return ring
  } catch (error) {
    if (holder.gatehouseRing === opening) holder.gatehouseRing = undefined
    throw error
  }
}

async function loadRing(): Promise<Ring> {
  const provider = findProvider(getSettings())
  const loaded = provider.load()
  refuseSessionSecret(loaded, provider)
  const rows = await requireRows(loaded[0], provider)
  const keks = new Map(loaded.map((kek) => [kek.id, kek]))
  for (const row of rows) proveRow(row, keks.get(row.id), provider)
  const active = rows.find((row) => row.state === 'active')
  const kek = active && keks.get(active.id)
  if (!kek) throw new RingError('The key ring has no active key. Restore the database from a copy.')
  return { active: kek, keks: new Map(rows.flatMap((row) => [...keks].filter(([id]) => id === row.id))) }
}

/** One secret for two purposes falls with either of them. */
function refuseSessionSecret(keks: readonly Kek[], provider: KekProvider): void {
  const path = getSettings().sessionSecretFile
  if (!existsSync(path)) return
  const sessionSecret = readKeyFile(path)
  const same = keks.some((kek) => kek.key.equals(sessionSecret))
  sessionSecret.fill(0)
  if (same) throw new RingError(`${capitalised(provider.place)} is also the session secret. Give each its own.`)
}

/** The rows not retired; the first one is made where nothing was ever sealed. */
async function requireRows(first: Kek, provider: KekProvider): Promise<KeyRing[]> {
  const rows = await db().keyRing.findMany({ where: { state: { not: 'retired' } } })
  if (rows.length > 0) return rows
  const [rings, connections, secrets] = await Promise.all([db().keyRing.count(), db().connection.count(), db().sealedSecret.count()])
  if (rings + connections + secrets > 0) {
    throw new RingError('The database holds sealed keys, but its key ring is empty. Restore it from a copy.')
  }
  const canary = seal({ kek: first, plaintext: Buffer.from(canaryText), aad: bindCanary(first.id) })
  // Two processes starting at once enter the same key: the second finds it there.
  return [
    await db().keyRing.upsert({
      where: { id: first.id },
      update: {},
      create: { id: first.id, provider: provider.name, state: 'active', canary },
    }),
  ]
}

/** Throws unless the key at hand opens the row's canary. */
function proveRow(row: KeyRing, kek: Kek | undefined, provider: KekProvider): void {
  if (!kek) {
    throw new RingError(`${capitalised(provider.place)} does not belong to this database: it needs the key ${row.id}.`)
  }
  try {
    const text = open({ keks: (id) => (id === kek.id ? kek : undefined), blob: row.canary, aad: bindCanary(row.id) })
    if (text.toString() === canaryText) return
  } catch {
    // Told below, like a canary with another text.
  }
  throw new RingError(`The key ${row.id} does not open its own check value: the key ring in the database was changed.`)
}

const capitalised = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`
