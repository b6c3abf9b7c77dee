/** The portal's only access to Prisma. */
import 'server-only'
import { createAdapter, transactionOptions } from '@/lib/database/prisma-adapter'
import { Sqlite } from '@/lib/database/sqlite'
import { getSettings } from '@/lib/settings/settings'
import { PrismaClient } from '@/prisma/generated/portal/client'
import { processState } from './process-state'

type Open = { client: PrismaClient; database: Sqlite }

const state = processState('database', (): { open?: Open | undefined } => ({}), { stays: true })

/** Opens the portal's database, or the given one, for all later calls. */
export function openDatabase(database = new Sqlite(getSettings().portalDatabase)): Open {
  const open = { client: new PrismaClient({ adapter: createAdapter(database), transactionOptions }), database }
  state().open = open
  return open
}

const current = (): Open => state().open ?? openDatabase()

/** The portal's database client. Reads and writes wait at most 5 s for another process, then fail with P1008. */
export const db = (): PrismaClient => current().client

/** The database file, for features that Prisma lacks. */
export const databaseFile = (): Sqlite => current().database

/** Like `closeDatabase`, but final: for the end of the process. */
export const endDatabase = (): Promise<void> => databaseFile().end()

/** Waits for writes and folds the write-ahead log into the file. The next use opens the database again. */
export async function closeDatabase(): Promise<void> {
  const { open } = state()
  state().open = undefined
  await open?.client.$disconnect()
  await open?.database.close()
}
