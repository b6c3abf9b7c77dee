/** The service's only access to Prisma. */
import { createAdapter, transactionOptions } from '@/lib/database/prisma-adapter'
import { Sqlite } from '@/lib/database/sqlite'
import { PrismaClient } from '@/prisma/generated/service/client'

/**
 * Opens the service's database file, which must already be migrated. Reads and writes wait at most 5 s for a lock, then fail with
 * P1008.
 */
export function openStore(file: string): PrismaClient {
  return new PrismaClient({ adapter: createAdapter(new Sqlite(file)), transactionOptions })
}
