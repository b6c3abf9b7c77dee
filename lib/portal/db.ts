/** Prisma's only door in the portal. */
import 'server-only'
import { PrismaLibSql } from '@prisma/adapter-libsql'
import { getSettings } from '@/lib/settings/settings'
import { PrismaClient } from '@/prisma/generated/portal/client'

// Route bundles may each load this module: the client hangs on the process, not on the module.
const holder: { gatehouseDb?: PrismaClient } = globalThis as object

/** The portal's database client. Waits up to 5 s for another writer, where SQLite's own default is not at all. */
export function db(): PrismaClient {
  holder.gatehouseDb ??= new PrismaClient({
    adapter: new PrismaLibSql({ url: `file:${getSettings().portalDatabase}`, timeout: 5000 }),
  })
  return holder.gatehouseDb
}
