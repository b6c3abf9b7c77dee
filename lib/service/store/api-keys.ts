/** API keys: made once, shown once, kept as a hash. */
import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import type { PrismaClient } from '@/prisma/generated/service/client'

/** What may be told of a key. Nothing here is the key or part of it. */
export type KeyRecord = { id: string; account: string; createdAt: Date; lastUsedAt: Date | null; revokedAt: Date | null }

export type Caller = { accountId: string; keyId: string }

const usedAgainAfterMs = 60_000

const hashOf = (key: string): Buffer => createHash('sha256').update(key).digest()

/** Makes a key of 32 random bytes for an account. The key is returned this once. */
export async function createApiKey(db: PrismaClient, accountId: string): Promise<{ id: string; key: string }> {
  const key = `gh_${randomBytes(32).toString('base64url')}`
  const id = randomUUID()
  await db.apiKey.create({ data: { id, accountId, hash: hashOf(key).toString('hex') } })
  return { id, key }
}

/** Who calls with this key; null when nobody does, or no longer. */
export async function findCaller(db: PrismaClient, key: string): Promise<Caller | null> {
  const hash = hashOf(key)
  const row = await db.apiKey.findUnique({ where: { hash: hash.toString('hex') } })
  // The index found it by an ordinary comparison; this one takes the same time whatever the bytes are.
  if (!row || !timingSafeEqual(Buffer.from(row.hash, 'hex'), hash) || row.revokedAt) return null
  const now = new Date()
  if (!row.lastUsedAt || now.getTime() - row.lastUsedAt.getTime() > usedAgainAfterMs) {
    // Nobody waits for it: while the database is locked a call that changes nothing is answered all the same.
    db.apiKey.updateMany({ where: { id: row.id }, data: { lastUsedAt: now } }).catch(() => {})
  }
  return { accountId: row.accountId, keyId: row.id }
}

export async function listApiKeys(db: PrismaClient): Promise<KeyRecord[]> {
  const rows = await db.apiKey.findMany({ include: { account: true }, orderBy: { createdAt: 'asc' } })
  return rows.map(({ id, account, createdAt, lastUsedAt, revokedAt }) => ({ id, account: account.name, createdAt, lastUsedAt, revokedAt }))
}

/** From now on the key opens nothing. False when there is no such key; revoking twice changes nothing. */
export async function revokeApiKey(db: PrismaClient, id: string): Promise<boolean> {
  const row = await db.apiKey.findUnique({ where: { id } })
  if (row && !row.revokedAt) await db.apiKey.update({ where: { id }, data: { revokedAt: new Date() } })
  return row !== null
}
