/** Rotates the service's key-encryption key while everything runs. Each step can be interrupted and repeated. */
import { KeyFileError } from '@/lib/sealing/key-file'
import { prepareKeyFile, readKeyFiles } from '@/lib/sealing/key-files'
import { moveRows, type SealedKeys, type Verification, verifyRows } from '@/lib/sealing/sealed-rows'
import { openRing, sealCanary } from './ring'
import { sealedTables } from './sealed-tables'
import type { Database } from './store'

/** old: the name of the previous key's file. */
export type KeyFiles = { current: string; old: string }

/** kekId: of the key that encrypts now. */
export type Verified = Verification & { kekId: string }

/**
 * Puts a new key into the key file, or takes the one that an interrupted rotation left there, and moves every data key under it. Secrets themselves
 * are not re-encrypted. The previous key still decrypts until `retireKeys`. Throws KeyFileError if an older key file is in the way.
 */
export async function rotateKeys(db: Database, files: KeyFiles): Promise<Verified> {
  await openRing(db, files.current)
  await activate(db, files.current, await prepareNextKey(db, files))
  const keys = await loadKeys(db, files.current)
  await moveRows(sealedTables(db), keys, () => requireActive(db, keys.active.id))
  return await verifyKeys(db, files.current)
}

/** Decrypts every encrypted value. Throws KeyFileError if a key is missing or unusable. */
export async function verifyKeys(db: Database, keyFile: string): Promise<Verified> {
  const keys = await loadKeys(db, keyFile)
  return { kekId: keys.active.id, ...(await verifyRows(sealedTables(db), keys)) }
}

/** The id of the key that still decrypts after a rotation, and when the one that encrypts was made; null if there is no such key. */
export async function findOldKey(db: Database): Promise<{ id: string; rotatedAt: Date } | null> {
  const rows = await db.keyCanary.findMany()
  const [old, active] = (['decryptOnly', 'active'] as const).map((state) => rows.find((row) => row.state === state))
  return old && active ? { id: old.kekId, rotatedAt: active.createdAt } : null
}

/** Marks the old key as retired. Verify first that nothing is under it. */
export async function retireKey(db: Database, kekId: string): Promise<void> {
  await db.keyCanary.updateMany({ where: { kekId, state: 'decryptOnly' }, data: { state: 'retired' } })
}

async function loadKeys(db: Database, keyFile: string): Promise<SealedKeys> {
  const { current, find } = await openRing(db, keyFile)
  return { active: await current(), find }
}

function prepareNextKey(db: Database, files: KeyFiles): Promise<string> {
  return db.$transaction(async (transaction) => {
    // A write that changes nothing takes the database's lock until the end, so that a second rotation, even in another process, waits here. If the
    // process is killed, the lock is released.
    await transaction.keyCanary.updateMany({ where: { state: 'active' }, data: { state: 'active' } })
    const rows = await transaction.keyCanary.findMany()
    return prepareKeyFile({ ...files, rows: rows.map(({ kekId: id, state }) => ({ id, state })) })
  })
}

/** Makes the key that is in the key file now the active one. */
async function activate(db: Database, keyFile: string, kekId: string): Promise<void> {
  await db.$transaction(async (transaction) => {
    const before = await transaction.keyCanary.updateMany({
      where: { state: 'active', kekId: { not: kekId } },
      data: { state: 'decryptOnly' },
    })
    if (before.count === 0) return
    const kek = readKeyFiles(keyFile).find(({ id }) => id === kekId)
    if (!kek) throw new KeyFileError(`The key file ${keyFile} was changed meanwhile. Start the rotation again.`)
    if (await transaction.keyCanary.findUnique({ where: { kekId } })) {
      throw new KeyFileError(`The key file ${keyFile} holds the key ${kekId}, which was in use before. Restore the right key file.`)
    }
    await transaction.keyCanary.create({ data: { kekId, state: 'active', sealed: sealCanary(kek) } })
  })
}

async function requireActive(db: Database, kekId: string): Promise<void> {
  const active = await db.keyCanary.count({ where: { kekId, state: 'active' } })
  if (active === 0) throw new KeyFileError(`The key ${kekId} is not active any more. Start the rotation again.`)
}
