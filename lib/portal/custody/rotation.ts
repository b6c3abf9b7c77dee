/** Rotates the key-encryption key while everything runs. Each step can be interrupted and repeated. */
import 'server-only'
import { db } from '@/lib/portal/base/db'
import { moveRows, type SealedKeys, type Verification, verifyRows } from '@/lib/sealing/sealed-rows'
import { getSettings } from '@/lib/settings/settings'
import { findProvider } from './provider'
import { countWraps, currentRing, openRing } from './ring'
import { enterKek, type Ring, RingError } from './ring-loading'
import { sealedTables } from './sealed-tables'

/**
 * Makes `kekId` the active key, moves every data key under it, and returns the verification. The key must already exist (a file
 * kek.*.key next to kek.key), so that running processes find it too. Secrets themselves are not re-encrypted. Old keys can still
 * decrypt until `retireKeys`. Throws RingError if the key is unknown or another rotation is running.
 */
export async function rotateTo(kekId: string): Promise<Verification> {
  await activate(kekId)
  await openRing()
  const ring = await currentRing()
  const to = ring.active.id
  await moveRows(sealedTables, keysOf(ring), async (rows) => {
    if (!(await countWraps(to, rows))) throw new RingError(`The key ${to} is not active any more. Start the rotation again.`)
  })
  return await verifyRing()
}

/** Decrypts every encrypted value. */
export async function verifyRing(): Promise<Verification> {
  return await verifyRows(sealedTables, keysOf(await currentRing()))
}

/** Retires all keys except the active one if nothing is encrypted under them. Throws RingError otherwise. */
export async function retireKeys(): Promise<void> {
  const { old, broken } = await verifyRing()
  if (old + broken.length > 0)
    throw new RingError(`${old + broken.length} encrypted values do not use the active key yet. No key was retired.`)
  await db().keyEncryptionKey.updateMany({ where: { state: 'decryptOnly' }, data: { state: 'retired' } })
  await openRing()
}

/** Adds the key as pending, checks that its check value can be decrypted, then makes it active in one transaction. */
async function activate(kekId: string): Promise<void> {
  const provider = findProvider(getSettings())
  const kek = provider.load().find(({ id }) => id === kekId)
  if (!kek) throw new RingError(`There is no file with the key ${kekId} next to ${provider.place}.`)
  const { state } = await enterKek(kek, provider, 'pending', (await currentRing()).format)
  if (state === 'active') return
  if (state !== 'pending') throw new RingError(`The key ${kekId} was in use before. Rotate to a new one.`)
  await db().$transaction(async (transaction) => {
    const before = await transaction.keyEncryptionKey.updateMany({ where: { state: 'active' }, data: { state: 'decryptOnly' } })
    const after = await transaction.keyEncryptionKey.updateMany({ where: { id: kekId, state: 'pending' }, data: { state: 'active' } })
    if (before.count !== 1 || after.count !== 1) throw new RingError('Another rotation is running. This one did nothing.')
    await transaction.keyEncryptionKey.deleteMany({ where: { state: 'pending' } })
  })
}

const keysOf = ({ active, keks }: Ring): SealedKeys => ({ active, find: (id) => keks.get(id) })
