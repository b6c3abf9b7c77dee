/** The service's only access to Prisma. */
import type { DatabasePlace } from '@/lib/database/place'
import { Postgresql } from '@/lib/database/postgresql'
import { createPostgresqlAdapter } from '@/lib/database/postgresql-adapter'
import { createAdapter, transactionOptions } from '@/lib/database/prisma-adapter'
import { Sqlite } from '@/lib/database/sqlite'
import { PrismaClient } from '@/prisma/generated/service/client'
import { getPrismaClientClass } from '@/prisma/generated/service/internal/class-postgresql'

/**
 * Opens the service's database, a file or one on PostgreSQL, which must already be migrated. Reads and writes wait at most 5 s for a lock, then fail
 * with P1008.
 */
export function openStore(place: DatabasePlace): PrismaClient {
  if (typeof place === 'string') return new PrismaClient({ adapter: createAdapter(new Sqlite(place)), transactionOptions })
  // Both clients have the same methods, and their types differ only in options that nothing here uses.
  const OnPostgresql = getPrismaClientClass()
  const client = new OnPostgresql({
    adapter: createPostgresqlAdapter(new Postgresql(place)),
    transactionOptions,
  }) as unknown as PrismaClient
  clientsOnPostgresql.add(client)
  return client
}

const clientsOnPostgresql = new WeakSet<PrismaClient>()

/** Which SQL a client's database understands. */
export const isOnPostgresql = (client: PrismaClient): boolean => clientsOnPostgresql.has(client)
