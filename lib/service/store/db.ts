/** The service's only access to Prisma. */
import { createAdapter, transactionOptions } from '@/lib/database/prisma-adapter'
import { Sqlite } from '@/lib/database/sqlite'
import { PrismaClient } from '@/prisma/generated/service/client'

/**
 * Opens the service's database file, which has to be prepared already. Reads and writes wait at most 5 s for others, then fail with
 * P1008.
 */
export function openStore(file: string): PrismaClient {
  return new PrismaClient({ adapter: createAdapter(new Sqlite(file)), transactionOptions })
}
