/** The service's key-encryption keys, and the check values that prove at start-up that they belong to this database. */
import { existsSync } from 'node:fs'
import { open, SealBroken, seal } from '@/lib/sealing/envelope'
import type { Kek } from '@/lib/sealing/kek'
import { createKeyFile, KeyFileError } from '@/lib/sealing/key-file'
import { readKeyFiles } from '@/lib/sealing/key-files'
import type { KeyCanary, PrismaClient } from '@/prisma/generated/service/client'

export type Ring = {
  /**
   * The key that encrypts now: another process may have rotated the keys since the last call. Throws KeyFileError if its file is missing or
   * unusable.
   */
  current(): Promise<Kek>
  /** A key that can decrypt a value; undefined if there is none with that id. */
  find(kekId: string): Kek | undefined
}

const canaryText = 'gatehouse service key canary'
const canaryAad = (kekId: string) => ['gatehouse', '1', 'KeyCanary', 'sealed', kekId]

/** A key's check value. */
export const sealCanary = (kek: Kek): Uint8Array<ArrayBuffer> => seal({ kek, plaintext: Buffer.from(canaryText), aad: canaryAad(kek.id) })

/**
 * Opens the ring on a migrated database. If nothing was ever encrypted, creates a missing key file; otherwise requires every key that is not
 * retired. Throws KeyFileError with one line for the operator.
 */
export async function openRing(db: PrismaClient, keyFile: string): Promise<Ring> {
  const rows = await db.keyCanary.findMany()
  if (rows.length === 0 && !existsSync(keyFile)) createKeyFile(keyFile).fill(0)
  const loaded = readKeyFiles(keyFile)
  if (rows.length === 0) {
    await createCanary(db, loaded[0])
    return createRing(db, keyFile, [loaded[0]])
  }
  const needed = rows.filter(({ state }) => state !== 'retired')
  if (!needed.some(({ state }) => state === 'active')) {
    throw new KeyFileError('The service’s database has no active key. Restore the database from a backup.')
  }
  return createRing(
    db,
    keyFile,
    needed.map((row) => proveKey(row, loaded, keyFile)),
  )
}

function createRing(db: PrismaClient, keyFile: string, keks: readonly Kek[]): Ring {
  const known = new Map(keks.map((kek) => [kek.id, kek]))
  const find = (kekId: string): Kek | undefined => known.get(kekId) ?? findNew(kekId)
  // A rotation in another process has put its key into the key file before anything is under it. The id is derived from the key.
  const findNew = (kekId: string): Kek | undefined => {
    const kek = readCurrent(keyFile)
    if (kek?.id !== kekId) return undefined
    known.set(kekId, kek)
    return kek
  }
  const current = async (): Promise<Kek> => {
    const active = await db.keyCanary.findFirst({ where: { state: 'active' } })
    const kek = active === null ? undefined : find(active.kekId)
    if (!kek) throw new KeyFileError(`The key file ${keyFile} does not hold the key ${active?.kekId}, which encrypts new values.`)
    return kek
  }
  return { current, find }
}

/** undefined if the key files cannot be read at this moment. */
function readCurrent(keyFile: string): Kek | undefined {
  try {
    return readKeyFiles(keyFile)[0]
  } catch (error) {
    if (error instanceof KeyFileError) return undefined
    throw error
  }
}

async function createCanary(db: PrismaClient, kek: Kek): Promise<void> {
  // Two commands may both be the first; with the same key file they write the same row.
  await db.keyCanary.upsert({ where: { kekId: kek.id }, update: {}, create: { kekId: kek.id, state: 'active', sealed: sealCanary(kek) } })
}

/** The key of a row, if it decrypts the row's check value. */
function proveKey({ kekId, sealed }: KeyCanary, loaded: readonly Kek[], keyFile: string): Kek {
  const kek = loaded.find(({ id }) => id === kekId)
  if (!kek) {
    const other = `${keyFile} is not the key of this service's database, which needs the key ${kekId}.`
    throw new KeyFileError(`The key file ${other} Restore the right key file.`)
  }
  try {
    open({ keks: (id) => (id === kek.id ? kek : undefined), blob: sealed, aad: canaryAad(kekId) }).fill(0)
    return kek
  } catch (cause) {
    if (!(cause instanceof SealBroken)) throw cause
    throw new KeyFileError(`The key ${kekId} does not decrypt its own check value: the service's database was changed.`)
  }
}
