/** API keys: created once, shown once, stored as a hash. */
import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import type { PrismaClient } from '@/prisma/generated/service/client'

/** The fields of a key that may be shown. None contains the key or part of it. */
export type KeyRecord = { id: string; account: string; createdAt: Date; lastUsedAt: Date | null; revokedAt: Date | null }

export type Caller = { accountId: string; keyId: string }

const usedAgainAfterMs = 60_000

const hashOf = (key: string): Buffer => createHash('sha256').update(key).digest()

/** Creates a key of 32 random bytes for an account. The key cannot be read again later. */
export async function createApiKey(db: PrismaClient, accountId: string): Promise<{ id: string; key: string }> {
  const key = `gh_${randomBytes(32).toString('base64url')}`
  const id = randomUUID()
  await db.apiKey.create({ data: { id, accountId, hash: hashOf(key).toString('hex') } })
  return { id, key }
}

/** The account and id that belong to a key; null if it is unknown or revoked. */
export async function findCaller(db: PrismaClient, key: string): Promise<Caller | null> {
  const hash = hashOf(key)
  const row = await db.apiKey.findUnique({ where: { hash: hash.toString('hex') } })
  // The database index uses an ordinary comparison; this one takes constant time.
  if (!row || !timingSafeEqual(Buffer.from(row.hash, 'hex'), hash) || row.revokedAt) return null
  const now = new Date()
  if (!row.lastUsedAt || now.getTime() - row.lastUsedAt.getTime() > usedAgainAfterMs) {
    // Not awaited, so that reads are answered even while the database is locked.
    db.apiKey.updateMany({ where: { id: row.id }, data: { lastUsedAt: now } }).catch(() => {})
  }
  return { accountId: row.accountId, keyId: row.id }
}

export async function listApiKeys(db: PrismaClient): Promise<KeyRecord[]> {
  const rows = await db.apiKey.findMany({ include: { account: true }, orderBy: { createdAt: 'asc' } })
  return rows.map(({ id, account, createdAt, lastUsedAt, revokedAt }) => ({ id, account: account.name, createdAt, lastUsedAt, revokedAt }))
}

/** Revokes the key. False when there is no such key; revoking twice changes nothing. */
export async function revokeApiKey(db: PrismaClient, id: string): Promise<boolean> {
  const row = await db.apiKey.findUnique({ where: { id } })
  if (row && !row.revokedAt) await db.apiKey.update({ where: { id }, data: { revokedAt: new Date() } })
  return row !== null
}
