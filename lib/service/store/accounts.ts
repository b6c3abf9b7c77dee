/** Accounts, which own servers and API keys. */
import { randomUUID } from 'node:crypto'
import type { Account, PrismaClient } from '@/prisma/generated/service/client'

export type { Account }

/** The account with that name, created if absent. */
export async function ensureAccount(db: PrismaClient, name: string): Promise<Account> {
  return db.account.upsert({ where: { name }, update: {}, create: { id: randomUUID(), name } })
}
