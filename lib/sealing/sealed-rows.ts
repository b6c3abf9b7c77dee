/** Verifies and re-wraps all encrypted values of a database, a few rows at a time, while others use it. */
import { type FindKek, findKekId, open, rewrap, SealBroken } from './envelope'
import type { Kek } from './kek'

export type SealedRow = {
  id: string
  /** The key that the row says it is under. */
  kekId: string
  blob: Uint8Array
  aad: readonly string[]
  /** Replaces this value with a re-wrapped one; false if the row has changed since it was read. */
  replace: (blob: Uint8Array<ArrayBuffer>, kekId: string) => Promise<boolean>
}

/** One column with encrypted values. */
export type SealedTable = {
  name: string
  /** Rows by ascending id after `after`, at most `limit`. Only the last page may have no row. */
  list: (page: { after: string; limit: number }) => Promise<SealedRow[]>
}

/** active encrypts; find returns any key that decrypts. */
export type SealedKeys = { active: Kek; find: FindKek }

export type Verification = {
  /** Rows that can be decrypted. */
  opened: number
  /** How many of these are under each key, by its id. */
  under: Readonly<Record<string, number>>
  /** Rows that can be decrypted, but not under the active key. */
  old: number
  /** Rows that cannot be decrypted, with the id of the key they need; null if they are not encrypted values at all. */
  broken: { table: string; id: string; kekId: string | null }[]
}

const batchRows = 100

/** Decrypts every encrypted value. */
export async function verifyRows(tables: readonly SealedTable[], { active, find }: SealedKeys): Promise<Verification> {
  const under: Record<string, number> = {}
  const found = { opened: 0, under, old: 0, broken: [] as Verification['broken'] }
  for (const table of tables) {
    for await (const rows of everyBatch(table)) {
      for (const row of rows) {
        const kekId = findKekId(row.blob)
        if (kekId === null || !opens(row, find)) {
          found.broken.push({ table: table.name, id: row.id, kekId })
          continue
        }
        found.opened += 1
        under[kekId] = (under[kekId] ?? 0) + 1
        if (kekId !== active.id || row.kekId !== active.id) found.old += 1
      }
    }
  }
  return found
}

/**
 * Moves every row under the active key, each in a write of its own. A row that got a new secret meanwhile stays as it is, and so does one that cannot
 * be decrypted: verification reports both. beforeBatch: called with the number of rows that are about to be moved; what it throws ends the work.
 */
export async function moveRows(
  tables: readonly SealedTable[],
  { active, find }: SealedKeys,
  beforeBatch: (rows: number) => Promise<void>,
): Promise<void> {
  for (const table of tables) {
    for await (const rows of everyBatch(table)) {
      const others = rows.filter(({ kekId }) => kekId !== active.id)
      if (others.length > 0) await beforeBatch(others.length)
      for (const row of others) await moveRow(row, { active, find })
    }
  }
}

async function moveRow({ blob, aad, replace }: SealedRow, { active, find }: SealedKeys): Promise<void> {
  try {
    await replace(rewrap({ keks: find, blob, aad, to: active }), active.id)
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error
  }
}

async function* everyBatch(table: SealedTable): AsyncGenerator<SealedRow[]> {
  let after = ''
  for (;;) {
    const rows = await table.list({ after, limit: batchRows })
    const last = rows.at(-1)
    if (!last) return
    yield rows
    after = last.id
  }
}

function opens({ blob, aad }: SealedRow, find: FindKek): boolean {
  try {
    open({ keks: find, blob, aad }).fill(0)
    return true
  } catch {
    return false
  }
}
