/** The key that signs the heads: encrypted in a database row and, as a copy, in the head file, so that it survives the loss of either. */
import 'server-only'
import { db } from '@/lib/portal/base/db'
import { findOrCreateSecret, findSealedSecret, idOfSecret, openSealedCopy, restoreSealedSecret } from '@/lib/portal/custody/secrets'
import { readLines } from './file'
import { parseLine, readKeyLine } from './line'

/** sealed: the newest copy in the file, base64; null if no copy in the file can be decrypted. */
export type HeadKey = { key: Buffer; sealed: string | null }

const id = idOfSecret('auditHead')

/** The key that signed the file's lines; null if neither the file nor the database has a copy that can be decrypted. */
export async function findHeadKey(): Promise<HeadKey | null> {
  const copies: string[] = []
  for await (const line of readLines()) {
    const found = line.startsWith('{"kind":"key"') ? readKeyLine(parseLine(line) ?? {}) : null
    if (found?.id === id) copies.push(found.sealed)
  }
  for (const sealed of copies.reverse()) {
    const key = await openCopy(sealed)
    if (key) return { key, sealed }
  }
  const row = await findSealedSecret('auditHead')
  const key = row && (await openSealedCopy('auditHead', row))
  return key && { key, sealed: null }
}

/** Creates the key for a file that has none yet. */
export async function createHeadKey(): Promise<HeadKey> {
  const { key } = await findOrCreateSecret('auditHead')
  return { key, sealed: null }
}

/** Whether the database has had the key for longer than `longerThanMs`. */
export async function headKeyStored(longerThanMs: number): Promise<boolean> {
  const row = await db().sealedSecret.findUnique({ where: { id }, select: { createdAt: true } })
  return row !== null && Date.now() - row.createdAt.getTime() > longerThanMs
}

/** The copy to add to the file: the row's encrypted value if it differs from the file's newest copy; otherwise null. */
export async function findMissingCopy(headKey: HeadKey): Promise<{ id: string; sealed: string } | null> {
  const row = await findSealedSecret('auditHead')
  if (!row) {
    if (headKey.sealed !== null) await restoreSealedSecret('auditHead', Buffer.from(headKey.sealed, 'base64'))
    return null
  }
  const sealed = Buffer.from(row).toString('base64')
  if (sealed === headKey.sealed) return null
  const same = (await openCopy(sealed))?.equals(headKey.key) === true
  return same ? { id, sealed } : null
}

const openCopy = (sealed: string): Promise<Buffer | null> => openSealedCopy('auditHead', Buffer.from(sealed, 'base64'))
