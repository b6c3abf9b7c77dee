/** The portal's own random sub-keys (audit log, heads, fingerprints, digests of held requests), encrypted in rows. Not derived, so that they survive a rotation. */
import 'server-only'
import { randomBytes } from 'node:crypto'
import { db } from '@/lib/portal/base/db'
import { processState } from '@/lib/portal/base/process-state'
import { findKekId, SealBroken } from '@/lib/sealing/envelope'
import type { SecretPurpose } from '@/prisma/generated/portal/client'
import { bindSecret } from './binding'
import { openUnderRing, sealUnderRing } from './ring'

/** A sub-key of 32 bytes and the id of its row, which must be stored with anything made with the key. */
export type SubKey = { id: string; key: Buffer }

type Cache = Map<string, Promise<SubKey | null>>
const subKeys = processState('sub-keys', (): Cache => new Map())

/** The current sub-key of a purpose, created at first use. Throws SealBroken if its row was tampered with. */
export async function findOrCreateSecret(purpose: SecretPurpose): Promise<SubKey> {
  const present = await findSecret(idOfSecret(purpose))
  if (present) return present
  await createSecret(purpose)
  const made = await findSecret(idOfSecret(purpose))
  if (!made) throw new Error('A sub-key that was just stored cannot be found.')
  return made
}

/** A sub-key by its id, which older audit rows contain; null if there is none. Throws SealBroken. */
export function findSecret(id: string): Promise<SubKey | null> {
  const cache = subKeys()
  const known = cache.get(id)
  if (known) return known
  const loading = loadSecret(id)
  cache.set(id, loading)
  // Failures and missing rows are not cached.
  loading.then(
    (found) => found === null && cache.delete(id),
    () => cache.delete(id),
  )
  return loading
}

/** Drops the decrypted sub-keys from memory. */
export function forgetSecrets(): void {
  subKeys().clear()
}

const firstVersion = 1
// The id consists of purpose and version, so that two simultaneous creations end up in one row.
export const idOfSecret = (purpose: SecretPurpose): string => `${purpose}.${firstVersion}`

const identityOf = (purpose: SecretPurpose) => ({ id: idOfSecret(purpose), purpose, secretVersion: firstVersion })

/** A sub-key in encrypted form, as in its row, to be stored elsewhere too; null if there is no row. */
export async function findSealedSecret(purpose: SecretPurpose): Promise<Uint8Array | null> {
  return (await db().sealedSecret.findUnique({ where: { id: idOfSecret(purpose) } }))?.sealed ?? null
}

/** Decrypts a sub-key that was stored elsewhere; null when that fails. */
export async function openSealedCopy(purpose: SecretPurpose, sealed: Uint8Array): Promise<Buffer | null> {
  try {
    return await openUnderRing(sealed, bindSecret(identityOf(purpose)))
  } catch (error) {
    if (error instanceof SealBroken) return null
    throw error
  }
}

/** Writes a copy stored elsewhere back as the row; an existing row stays unchanged. */
export async function restoreSealedSecret(purpose: SecretPurpose, sealed: Uint8Array<ArrayBuffer>): Promise<void> {
  const kekId = findKekId(sealed)
  if (kekId === null) return
  const row = identityOf(purpose)
  await db().sealedSecret.upsert({ where: { id: row.id }, update: {}, create: { ...row, sealed, kekId } })
}

async function loadSecret(id: string): Promise<SubKey | null> {
  const row = await db().sealedSecret.findUnique({ where: { id } })
  return row && { id, key: await openUnderRing(row.sealed, bindSecret(row)) }
}

async function createSecret(purpose: SecretPurpose): Promise<void> {
  const row = identityOf(purpose)
  const key = randomBytes(32)
  const { sealed, kekId } = await sealUnderRing(key, bindSecret(row))
  key.fill(0)
  await db().sealedSecret.upsert({ where: { id: row.id }, update: {}, create: { ...row, sealed, kekId } })
}
