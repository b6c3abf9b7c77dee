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
import type { PoolClient } from 'pg'
import { patienceMs } from './patience'
import { endIfSilent, type Fence, FenceLost, lockedTooLong, type Postgresql } from './postgresql'
import { storableText } from './values'

const identity = { provider: 'postgres', adapterName: 'gatehouse-postgresql' } as const

/**
 * The lock that every write takes, of all processes of a database: docs/decisions/083-postgresql.md. It ends with the transaction, and so passes a
 * pooler that gives each transaction any connection.
 */
const takeLock = `SET LOCAL lock_timeout = ${patienceMs}; ${endIfSilent}; SELECT pg_advisory_xact_lock(hashtext('gatehouse'), hashtext('write'))`

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
  async startTransaction(isolationLevel?: IsolationLevel): Promise<PostgresqlTransaction> {
    if (isolationLevel && isolationLevel !== 'SERIALIZABLE') {
      throw new DriverAdapterError({ kind: 'InvalidIsolationLevel', level: isolationLevel })
    }
    const release = await this.#database.takeTurn()
    let inner: Transaction
    try {
      inner = await this.#inner.startTransaction()
    } catch (error) {
      release()
      throw error
    }
    const transaction = new PostgresqlTransaction(inner, release)
    await transaction.run(takeLock)
    const fence = this.#database.fences.getStore()
    if (fence) await transaction.require(fence)
    return transaction
  }

  async dispose(): Promise<void> {
    await this.#database.close()
  }

  /** One statement with its own commit. */
  async #write<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    const transaction = await this.startTransaction()
    try {
      const result = await work(transaction)
      await transaction.commit()
      return result
    } catch (error) {
      await transaction.rollback()
      throw error
    }
  }
}

/** A statement without values. PrismaPg sends it as a script, so it may be several. */
const plain = (sql: string): SqlQuery => ({ sql, args: [], argTypes: [] })

/** Keeps this process's turn to write until the end. */
class PostgresqlTransaction implements Transaction {
  readonly provider = identity.provider
  readonly adapterName = identity.adapterName
  // Makes Prisma leave COMMIT and ROLLBACK to this adapter.
  readonly options = { usePhantomQuery: true }
  readonly #inner: Transaction
  readonly #release: () => void
  #failure: unknown = null
  #ended = false

  constructor(inner: Transaction, release: () => void) {
    this.#inner = inner
    this.#release = release
  }

  queryRaw(query: SqlQuery): Promise<SqlResultSet> {
    return this.#watch(() => this.#inner.queryRaw(storable(query)))
  }

  executeRaw(query: SqlQuery): Promise<number> {
    return this.#watch(() => this.#inner.executeRaw(storable(query)))
  }

  /** For the statements that begin a transaction: if one fails, it is over. */
  async run(sql: string): Promise<void> {
    try {
      await this.#watch(() => this.#inner.executeRaw(plain(sql)))
    } catch (error) {
      await this.rollback()
      throw error
    }
  }

  /** Ends the transaction unless the fence stands. */
  async require({ sql, values }: Fence): Promise<void> {
    const argTypes = values.map((value) => ({ scalarType: typeof value === 'number' ? 'int' : 'string', arity: 'scalar' }) as const)
    try {
      const { rows } = await this.#watch(() => this.#inner.queryRaw({ sql, args: [...values], argTypes }))
      if (rows.length === 0) throw new FenceLost('Another process has taken this work over.')
    } catch (error) {
      await this.rollback()
      throw error
    }
  }

  /** PostgreSQL answers COMMIT without an error although it rolls back what a failed statement has spoiled. */
  async commit(): Promise<void> {
    if (this.#failure !== null) {
      await this.rollback()
      throw this.#failure
    }
    await this.#end('COMMIT')
  }

  /** Never rejects: what could not be rolled back ends with its connection. */
  async rollback(): Promise<void> {
    await this.#end('ROLLBACK').catch(() => {})
  }

  createSavepoint(name: string): Promise<void> {
    return this.#mark(`SAVEPOINT ${name}`)
  }

  async rollbackToSavepoint(name: string): Promise<void> {
    await this.#mark(`ROLLBACK TO SAVEPOINT ${name}`)
    this.#failure = null
  }

  releaseSavepoint(name: string): Promise<void> {
    return this.#mark(`RELEASE SAVEPOINT ${name}`)
  }

  async #mark(sql: string): Promise<void> {
    await this.#watch(() => this.#inner.executeRaw(plain(sql)))
  }

  async #watch<T>(work: () => Promise<T>): Promise<T> {
    if (this.#ended) throw new DriverAdapterError({ kind: 'TransactionAlreadyClosed', cause: 'the transaction is over' })
    try {
      return await work()
    } catch (error) {
      this.#failure = isLocked(error) ? lockedTooLong() : error
      throw this.#failure
    }
  }

  /** Only once: later the connection may be in another caller's transaction. One that may still be in this one is not used again. */
  async #end(sql: 'COMMIT' | 'ROLLBACK'): Promise<void> {
    if (this.#ended) return
    this.#ended = true
    try {
      await this.#inner.executeRaw(plain(sql))
      await this.#inner.commit()
    } catch (error) {
      const { client } = this.#inner as unknown as { client: PoolClient }
      client.release(true)
      throw error
    } finally {
      this.#release()
    }
  }
}

const isLocked = (error: unknown): boolean =>
  error instanceof DriverAdapterError && 'originalCode' in error.cause && error.cause.originalCode === lockNotAvailable

/** PostgreSQL refuses texts with a NUL: they are stored as on SQLite. */
const storable = (query: SqlQuery): SqlQuery => ({
  ...query,
  args: query.args.map((value, index) =>
    typeof value === 'string' && query.argTypes[index]?.scalarType !== 'bytes' ? storableText(value) : value,
  ),
})
