/** Rotates the key-encryption key while everything runs. Each step can be interrupted and repeated. */
import 'server-only'
import { db } from '@/lib/portal/base/db'
import { findKekId, open, rewrap, SealBroken } from '@/lib/sealing/envelope'
import { getSettings } from '@/lib/settings/settings'
import { findProvider } from './provider'
import { countWraps, currentRing, openRing } from './ring'
import { enterKek, type Ring, RingError } from './ring-loading'
import { type SealedRow, type SealedTable, sealedTables } from './sealed-tables'

export type Verification = {
  /** Rows that can be decrypted. */
  opened: number
  /** Rows that can be decrypted, but not under the active key. */
  old: number
  /** Rows that cannot be decrypted, with the id of the key they need; null if they are not encrypted values at all. */
  broken: { table: string; id: string; kekId: string | null }[]
}

const batchRows = 100

/**
 * Makes `kekId` the active key, moves every data key under it, and returns the verification. The key must already exist (a file
 * kek.*.key next to kek.key), so that running processes find it too. Secrets themselves are not re-encrypted. Old keys can still
 * decrypt until `retireKeys`. Throws RingError if the key is unknown or another rotation is running.
 */
export async function rotateTo(kekId: string): Promise<Verification> {
  await activate(kekId)
  await openRing()
  const ring = await currentRing()
  for (const table of sealedTables) await moveRows(table, ring)
  return await verifyRing()
}

/** Decrypts every encrypted value. */
export async function verifyRing(): Promise<Verification> {
  const { active, keks } = await currentRing()
  const found: Verification = { opened: 0, old: 0, broken: [] }
  for (const table of sealedTables) {
    for await (const row of everyRow(table)) {
      if (!opens(row, keks)) found.broken.push({ table: table.name, id: row.id, kekId: findKekId(row.blob) })
      else {
        found.opened += 1
        if (findKekId(row.blob) !== active.id || row.kekId !== active.id) found.old += 1
      }
    }
  }
  return found
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

async function moveRows(table: SealedTable, ring: Ring): Promise<void> {
  const to = ring.active
  let after = ''
  for (;;) {
    const rows = await table.list({ after, limit: batchRows, notUnder: to.id })
    const last = rows.at(-1)
    if (!last) return
    if (!(await countWraps(to.id, rows.length))) throw new RingError(`The key ${to.id} is not active any more. Start the rotation again.`)
    for (const row of rows) await moveRow(row, ring)
    after = last.id
  }
}

/** A row that got a new secret meanwhile is already under the new key. Verification reports rows that cannot be decrypted. */
async function moveRow(row: SealedRow, { active, keks }: Ring): Promise<void> {
  try {
    await row.replace(rewrap({ keks: (id) => keks.get(id), blob: row.blob, aad: row.aad, to: active }), active.id)
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error
  }
}

async function* everyRow(table: SealedTable): AsyncGenerator<SealedRow> {
  let after = ''
  for (;;) {
    const rows = await table.list({ after, limit: batchRows })
    yield* rows
    const last = rows.at(-1)
    if (!last) return
    after = last.id
  }
}

function opens(row: SealedRow, keks: Ring['keks']): boolean {
  try {
    open({ keks: (id) => keks.get(id), blob: row.blob, aad: row.aad }).fill(0)
    return true
  } catch {
    return false
  }
}
