/** Brings a database on PostgreSQL to this version's schema, or refuses it. */
import { PrismaPg } from '@prisma/adapter-pg'
import type { SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils'
import pg from 'pg'
import type { PostgresqlAddress } from '@/lib/settings/database'
import { isAdditive } from './additive'
import { DatabaseError } from './database-error'
import { describeAddress } from './postgresql'
import { areFew } from './postgresql-portals'
import { firstLine, hasMigrations, withSession } from './postgresql-session'
import type { Prepared } from './prepare'
import { listMigrationNames, listMigrations, noFilters, type SchemaName, withAdapter } from './schema-engine'

type Place = { address: PostgresqlAddress; schema: SchemaName }

const takeLock = "SELECT pg_advisory_xact_lock(hashtext('gatehouse'), hashtext('migrate'))"

/**
 * Applies the migrations that the database lacks: all of them or, if one fails, none. Several processes wait for each other. Without any to
 * apply it only reads, so the user of a running Gatehouse needs no right to change the schema. Throws DatabaseError.
 */
export async function preparePostgresql(place: Place): Promise<Prepared> {
  return withSession(place.address, async (session) => {
    await requireOrder(session, place.address)
    const lacking = await findPendingThere(session, place)
    if (lacking.length === 0) return { applied: [] }
    await requireOthersSurvive(session, place, lacking)
    await session.query(`BEGIN; ${takeLock}`)
    // Another process may have applied them meanwhile.
    const pending = await findPendingThere(session, place)
    if (pending.length > 0) await migrate(session, place)
    await session.query('COMMIT')
    return { applied: pending }
  })
}

/** While portals of the version before work on the database, a migration may only add. Waits for those that were killed. */
async function requireOthersSurvive(session: pg.Client, { address, schema }: Place, pending: readonly string[]): Promise<void> {
  const { migrationDirectories } = listMigrations(schema, 'postgresql')
  const changing = migrationDirectories.find(
    ({ path, migrationFile }) => pending.includes(path) && !isAdditive(migrationFile.content.value),
  )
  if (!changing || (await areFew(session, 0))) return
  throw new DatabaseError(
    `Portals of the version before use the database ${describeAddress(address)}, and could not after the migration ${changing.path}. Stop all of them first.`,
  )
}

/** How long users' requests may keep a trial from the tables that it changes. */
const trialLockTimeout = '10s'

/**
 * Applies the migrations that the database lacks in a transaction that is rolled back, also while it is in use: who uses the same tables waits meanwhile. Resolves
 * with their names. Throws DatabaseError.
 */
export function tryOnPostgresql(place: Place): Promise<string[]> {
  return withSession(place.address, async (session) => {
    await requireOrder(session, place.address)
    const pending = await findPendingThere(session, place)
    if (pending.length === 0) return []
    await session.query(`BEGIN; SET LOCAL lock_timeout = '${trialLockTimeout}'; ${takeLock}`)
    await migrate(session, place)
    await session.query('ROLLBACK')
    return pending
  })
}

/** Names of migrations that are not applied yet. Throws DatabaseError if unknown ones are applied, or if it cannot be reached. */
export const findPendingOnPostgresql = (place: Place): Promise<string[]> =>
  withSession(place.address, (session) => findPendingThere(session, place))

/** Lists are sorted by the database and continued by the programs, so both have to sort alike. */
async function requireOrder(session: pg.Client, address: PostgresqlAddress): Promise<void> {
  const { rows } = await session.query<{ collation: string; encoding: string }>(
    'SELECT datcollate AS collation, pg_encoding_to_char(encoding) AS encoding FROM pg_database WHERE datname = current_database()',
  )
  const [found] = rows
  if (found?.encoding === 'UTF8' && /^(C|POSIX|C\.utf-?8)$/i.test(found.collation)) return
  throw new DatabaseError(
    `The database ${describeAddress(address)} sorts by ${found?.collation} in ${found?.encoding}. Create it with TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8'.`,
  )
}

async function findPendingThere(session: pg.Client, { address, schema }: Place): Promise<string[]> {
  const known = listMigrationNames(schema, 'postgresql')
  const applied = (await hasMigrations(session)) ? await readApplied(session) : []
  const foreign = applied.find((name) => !known.includes(name))
  if (foreign) {
    throw new DatabaseError(
      `The database ${describeAddress(address)} was created by a newer Gatehouse or by another program (migration ${foreign}). Start that version.`,
    )
  }
  return known.filter((name) => !applied.includes(name))
}

async function readApplied(session: pg.Client): Promise<string[]> {
  const { rows } = await session.query<{ migration_name: string }>(
    'SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name',
  )
  return rows.map(({ migration_name }) => migration_name)
}

async function migrate(session: pg.Client, { address, schema }: Place): Promise<void> {
  const failures: string[] = []
  const adapter = createMigrationAdapter(session, (message) => failures.push(message))
  try {
    await withAdapter({ schema, engine: 'postgresql', adapter }, (engine) =>
      engine.applyMigrations({ migrationsList: listMigrations(schema, 'postgresql'), filters: noFilters }),
    )
  } catch (cause) {
    await session.query('ROLLBACK')
    const why = failures[0] ?? firstLine(cause)
    throw new DatabaseError(`The database ${describeAddress(address)} could not be migrated (${why}). It is unchanged.`, { cause })
  }
}

/**
 * Everything goes through one connection, which is in a transaction. Two faults of PrismaPg are corrected: it cannot read PostgreSQL's type "char",
 * and it divides scripts at each semicolon, also within texts and functions. The schema engine's own lock ends with the transaction, because a pooler gives
 * the connection to others then.
 */
export function createMigrationAdapter(
  session: pg.Client,
  onFailure: (message: string) => void = () => {},
): SqlMigrationAwareDriverAdapterFactory {
  class OneConnection extends pg.Pool {
    // The schema engine sees only errors without a message.
    override query = (async (given: string | pg.QueryConfig, ...more: unknown[]) => {
      try {
        return readable(await (session.query.bind(session) as Ask)(typeof given === 'string' ? given : endLock(given), ...more))
      } catch (error) {
        onFailure(firstLine(error))
        throw error
      }
    }) as unknown as pg.Pool['query']
  }
  const factory = new PrismaPg(new OneConnection())
  const connect = async () => {
    const adapter = await factory.connect()
    adapter.executeScript = async (script) => {
      await adapter.underlyingDriver().query(script)
    }
    return adapter
  }
  return { provider: 'postgres', adapterName: factory.adapterName, connect, connectToShadowDb: connect }
}

type Ask = (given: string | pg.QueryConfig, ...more: unknown[]) => Promise<unknown>

const endLock = (query: pg.QueryConfig): pg.QueryConfig => ({
  ...query,
  text: query.text.replace('pg_advisory_lock(', 'pg_advisory_xact_lock('),
})

const [internalChar, paddedText] = [18, 1042]

function readable<T>(result: T): T {
  const { fields } = (result ?? {}) as { fields?: { dataTypeID: number }[] }
  for (const field of fields ?? []) if (field.dataTypeID === internalChar) field.dataTypeID = paddedText
  return result
}
