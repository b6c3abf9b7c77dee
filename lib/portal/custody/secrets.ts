/** The portal's own random sub-keys (audit, fingerprints), sealed as rows: never derived, so that they outlive a rotation. */
import 'server-only'
import { randomBytes } from 'node:crypto'
import { db } from '../db'
import { bindSecret } from './binding'
import { openUnderRing, sealUnderRing } from './ring'

export type SecretPurpose = 'audit' | 'fingerprint'

/** A sub-key of 32 bytes and the id of its row, which whatever is made with it has to name. */
export type SubKey = { id: string; key: Buffer }

type Cache = Map<string, Promise<SubKey | null>>
// Route bundles may each load this module: the cache hangs on the process, not on the module.
const holder: { gatehouseSubKeys?: Cache } = globalThis as object

/** The current sub-key of a purpose, made at first use. Throws SealBroken when its row was tampered with. */
export async function findOrCreateSecret(purpose: SecretPurpose): Promise<SubKey> {
  const present = await findSecret(idOf(purpose))
  if (present) return present
  await createSecret(purpose)
  const made = await findSecret(idOf(purpose))
  if (!made) throw new Error('A sub-key that was just stored cannot be found.')
  return made
}

/** A sub-key by its id, as older audit rows name it; null when there is none. Throws SealBroken. */
export function findSecret(id: string): Promise<SubKey | null> {
  holder.gatehouseSubKeys ??= new Map()
  const cache = holder.gatehouseSubKeys
  const known = cache.get(id)
  if (known) return known
  const loading = loadSecret(id)
  cache.set(id, loading)
  // What failed, or was not there yet, is looked for again next time.
  loading.then(
    (found) => found === null && cache.delete(id),
    () => cache.delete(id),
  )
  return loading
}

/** Drops the opened sub-keys from memory. */
export function forgetSecrets(): void {
  holder.gatehouseSubKeys?.clear()
}

const firstVersion = 1
// The id is made of purpose and version: two that create at once meet in one row.
const idOf = (purpose: SecretPurpose): string => `${purpose}.${firstVersion}`

async function loadSecret(id: string): Promise<SubKey | null> {
  const row = await db().sealedSecret.findUnique({ where: { id } })
  return row && { id, key: await openUnderRing(row.sealed, bindSecret(row)) }
}

async function createSecret(purpose: SecretPurpose): Promise<void> {
  const row = { id: idOf(purpose), purpose, secretVersion: firstVersion }
  const key = randomBytes(32)
  const { sealed, kekId } = await sealUnderRing(key, bindSecret(row))
  key.fill(0)
  await db().sealedSecret.upsert({ where: { id: row.id }, update: {}, create: { ...row, sealed, kekId } })
}
