/** One connection to a database on PostgreSQL, outside the pool, for commands and for starts. */
import pg from 'pg'
import type { PostgresqlAddress } from '@/lib/settings/database'
import { DatabaseError } from './database-error'
import { connectionOptions, describeAddress } from './postgresql'

/** Opens a connection for the work and closes it afterwards. Rejects with DatabaseError, which names the database, whatever fails. */
export async function withSession<T>(address: PostgresqlAddress, work: (session: pg.Client) => Promise<T>): Promise<T> {
  let session: pg.Client | undefined
  try {
    session = new pg.Client(connectionOptions(address))
    // A connection that breaks fails the query that runs, which reports it.
    session.on('error', () => {})
    await session.connect()
    return await work(session)
  } catch (cause) {
    if (cause instanceof DatabaseError) throw cause
    throw new DatabaseError(`The database ${describeAddress(address)} cannot be used (${firstLine(cause)}).`, { cause })
  } finally {
    await session?.end().catch(() => {})
  }
}

export async function hasMigrations(session: pg.Client): Promise<boolean> {
  const { rows } = await session.query<{ found: boolean }>(`SELECT to_regclass('"_prisma_migrations"') IS NOT NULL AS found`)
  return rows[0]?.found === true
}

export const firstLine = (cause: unknown): string =>
  (cause instanceof Error ? cause.message || cause.name : String(cause)).trim().split('\n', 1)[0] ?? ''
