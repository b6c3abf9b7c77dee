/** The portal's only access to Prisma. */
import 'server-only'
import { portalPlace } from '@/lib/database/place'
import { Postgresql } from '@/lib/database/postgresql'
import { createPostgresqlAdapter } from '@/lib/database/postgresql-adapter'
import { createAdapter, transactionOptions } from '@/lib/database/prisma-adapter'
import { Sqlite } from '@/lib/database/sqlite'
import { getSettings } from '@/lib/settings/settings'
import { PrismaClient } from '@/prisma/generated/portal/client'
import { getPrismaClientClass } from '@/prisma/generated/portal/internal/class-postgresql'
import { processState } from './process-state'

export type Database = Sqlite | Postgresql

type Open = { client: PrismaClient; database: Database }

const state = processState('database', (): { open?: Open | undefined } => ({}), { stays: true })

/** Opens the portal's database, or the given one, for all later calls. */
export function openDatabase(database = chooseDatabase()): Open {
  const open = { client: createClient(database), database }
  state().open = open
  return open
}

function chooseDatabase(): Database {
  const place = portalPlace(getSettings())
  return typeof place === 'string' ? new Sqlite(place) : new Postgresql(place)
}

/** Both clients have the same methods, and their types differ only in options that nothing here uses. */
function createClient(database: Database): PrismaClient {
  if (database.engine === 'sqlite') return new PrismaClient({ adapter: createAdapter(database), transactionOptions })
  const OnPostgresql = getPrismaClientClass()
  return new OnPostgresql({ adapter: createPostgresqlAdapter(database), transactionOptions }) as unknown as PrismaClient
}

const current = (): Open => state().open ?? openDatabase()

/** The portal's database client. Reads and writes wait at most 5 s for another process, then fail with P1008. */
export const db = (): PrismaClient => current().client

/** The database behind the client, for features that Prisma lacks. */
export const database = (): Database => current().database

/** Like `closeDatabase`, but final: for the end of the process. */
export const endDatabase = (): Promise<void> => database().end()

/** Waits for writes, and on SQLite folds the write-ahead log into the file. The next use opens the database again. */
export async function closeDatabase(): Promise<void> {
  const { open } = state()
  state().open = undefined
  await open?.client.$disconnect()
  await open?.database.close()
}
