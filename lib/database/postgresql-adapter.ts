/** Prisma's adapter for PostgreSQL, with the promises of the one for SQLite: writes and transactions take turns, and wait at most 5 s. */
import { PrismaPg } from '@prisma/adapter-pg'
import {
  type ConnectionInfo,
  DriverAdapterError,
  type IsolationLevel,
  type SqlDriverAdapter,
  type SqlDriverAdapterFactory,
  type SqlQuery,
  type SqlResultSet,
  type Transaction,
} from '@prisma/driver-adapter-utils'
import { patienceMs } from './patience'
import { lockedTooLong, type Postgresql } from './postgresql'
import { storableText } from './values'

const identity = { provider: 'postgres', adapterName: 'gatehouse-postgresql' } as const

/**
 * The lock that every write takes, of all processes of a database: docs/decisions/083-postgresql.md. It ends with the transaction, and so passes a
 * pooler that gives each transaction any connection.
 */
const takeLock = `SET LOCAL lock_timeout = ${patienceMs}; SELECT pg_advisory_xact_lock(hashtext('gatehouse'), hashtext('write'))`

/** PostgreSQL's code for a lock that was not to be had in time. */
const lockNotAvailable = '55P03'

/** The adapter for PrismaClient. Closing the database closes its connections. */
export function createPostgresqlAdapter(database: Postgresql): SqlDriverAdapterFactory {
  return { ...identity, connect: async () => new PostgresqlAdapter(database, await new PrismaPg(database.pool).connect()) }
}

class PostgresqlAdapter implements SqlDriverAdapter {
  readonly provider = identity.provider
  readonly adapterName = identity.adapterName
  readonly #database: Postgresql
  readonly #inner: SqlDriverAdapter

  constructor(database: Postgresql, inner: SqlDriverAdapter) {
    this.#database = database
    this.#inner = inner
  }

  getConnectionInfo(): ConnectionInfo {
    return { maxBindValues: 32_766, supportsRelationJoins: false }
  }

  queryRaw(query: SqlQuery): Promise<SqlResultSet> {
    return /^\s*(SELECT|EXPLAIN)\b/i.test(query.sql) ? this.#inner.queryRaw(storable(query)) : this.#write((tx) => tx.queryRaw(query))
  }

  executeRaw(query: SqlQuery): Promise<number> {
    return this.#write((tx) => tx.executeRaw(query))
  }

  executeScript(): Promise<void> {
    return Promise.reject(new Error('Scripts are for migrations.'))
  }

  /** Read committed: with the lock, nobody else writes until the end, so nothing that was read can have changed. */
  async startTransaction(isolationLevel?: IsolationLevel): Promise<Transaction> {
    if (isolationLevel && isolationLevel !== 'SERIALIZABLE') {
      throw new DriverAdapterError({ kind: 'InvalidIsolationLevel', level: isolationLevel })
    }
    const release = await this.#database.takeTurn()
    try {
      const transaction = await this.#inner.startTransaction()
      await inOrder(transaction, () => transaction.executeRaw({ sql: takeLock, args: [], argTypes: [] }))
      return new PostgresqlTransaction(transaction, release)
    } catch (error) {
      release()
      throw error
    }
  }

  async dispose(): Promise<void> {
    await this.#database.close()
  }

  /** One statement with its own commit. */
  async #write<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    const transaction = await this.startTransaction()
    const result = await inOrder(transaction, () => work(transaction))
    await transaction.executeRaw({ sql: 'COMMIT', args: [], argTypes: [] })
    await transaction.commit()
    return result
  }
}

/** Rolls the transaction back if the work fails, which gives its connection back. */
async function inOrder<T>(transaction: Transaction, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    await transaction.executeRaw({ sql: 'ROLLBACK', args: [], argTypes: [] }).catch(() => {})
    await transaction.rollback()
    throw isLocked(error) ? lockedTooLong() : error
  }
}

const isLocked = (error: unknown): boolean =>
  error instanceof DriverAdapterError && 'originalCode' in error.cause && error.cause.originalCode === lockNotAvailable

/** Keeps this process's turn to write until the end. */
class PostgresqlTransaction implements Transaction {
  readonly provider = identity.provider
  readonly adapterName = identity.adapterName
  /** Prisma sends COMMIT and ROLLBACK as statements, as PrismaPg demands. */
  readonly options = { usePhantomQuery: false }
  readonly #inner: Transaction
  readonly #release: () => void

  constructor(inner: Transaction, release: () => void) {
    this.#inner = inner
    this.#release = release
  }

  queryRaw(query: SqlQuery): Promise<SqlResultSet> {
    return this.#inner.queryRaw(storable(query))
  }

  executeRaw(query: SqlQuery): Promise<number> {
    return this.#inner.executeRaw(storable(query))
  }

  commit(): Promise<void> {
    return this.#inner.commit().finally(this.#release)
  }

  rollback(): Promise<void> {
    return this.#inner.rollback().finally(this.#release)
  }

  createSavepoint(name: string): Promise<void> {
    return this.#run(`SAVEPOINT ${name}`)
  }

  rollbackToSavepoint(name: string): Promise<void> {
    return this.#run(`ROLLBACK TO SAVEPOINT ${name}`)
  }

  releaseSavepoint(name: string): Promise<void> {
    return this.#run(`RELEASE SAVEPOINT ${name}`)
  }

  async #run(sql: string): Promise<void> {
    await this.#inner.executeRaw({ sql, args: [], argTypes: [] })
  }
}

/** PostgreSQL refuses texts with a NUL: they are stored as on SQLite. */
const storable = (query: SqlQuery): SqlQuery => ({
  ...query,
  args: query.args.map((value, index) =>
    typeof value === 'string' && query.argTypes[index]?.scalarType !== 'bytes' ? storableText(value) : value,
  ),
})
