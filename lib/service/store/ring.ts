/** The service's key-encryption key, and the check value that proves at start-up that the key belongs to this database. */
import { existsSync } from 'node:fs'
import { open, SealBroken, seal } from '@/lib/sealing/envelope'
import { createKek, type Kek } from '@/lib/sealing/kek'
import { createKeyFile, KeyFileError, readKeyFile } from '@/lib/sealing/key-file'
import type { PrismaClient } from '@/prisma/generated/service/client'

/** The key for encryption. `find` returns any key that can decrypt older values. */
export type Ring = { current: Kek; find(kekId: string): Kek | undefined }

const canaryText = 'gatehouse service key canary'
const canaryAad = (kekId: string) => ['gatehouse', '1', 'KeyCanary', 'sealed', kekId]

/**
 * Opens the ring on a migrated database. If nothing was ever encrypted, creates a missing key file; otherwise requires the original
 * key. Throws KeyFileError with one line for the operator.
 */
export async function openRing(db: PrismaClient, keyFile: string): Promise<Ring> {
  const canaries = await db.keyCanary.findMany()
  const fresh = canaries.length === 0 && !existsSync(keyFile)
  const kek = createKek(fresh ? createKeyFile(keyFile) : readKeyFile(keyFile))
  const ring: Ring = { current: kek, find: (kekId) => (kekId === kek.id ? kek : undefined) }
  if (canaries.length === 0) await createCanary(db, kek)
  else requireOwnKey(ring, canaries, keyFile)
  return ring
}

async function createCanary(db: PrismaClient, kek: Kek): Promise<void> {
  const sealed = seal({ kek, plaintext: Buffer.from(canaryText), aad: canaryAad(kek.id) })
  // Two commands may both be the first; with the same key file they write the same row.
  await db.keyCanary.upsert({ where: { kekId: kek.id }, update: {}, create: { kekId: kek.id, sealed } })
}

function requireOwnKey(ring: Ring, canaries: readonly { kekId: string; sealed: Uint8Array }[], keyFile: string): void {
  const canary = canaries.find(({ kekId }) => kekId === ring.current.id)
  const wrong = new KeyFileError(`The key file ${keyFile} is not the key of this service's database. Restore the right key file.`)
  if (!canary) throw wrong
  try {
    open({ keks: ring.find, blob: canary.sealed, aad: canaryAad(canary.kekId) }).fill(0)
  } catch (cause) {
    if (cause instanceof SealBroken) throw wrong
    throw cause
  }
}
