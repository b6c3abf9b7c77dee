/** Prisma's driver adapter for these SQLite connections: reads use one, writes and transactions take turns on the other. */
import {
  type ConnectionInfo,
  DriverAdapterError,
  type IsolationLevel,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
  type SqlQuery,
  type SqlResultSet,
  type Transaction,
} from '@prisma/driver-adapter-utils'
import { type Connection, type Rows, SqliteError, sqliteCode } from './connection'
import { toPrismaError } from './failures'
import { untilUnlocked } from './patience'
import type { Sqlite, WriteTurn } from './sqlite'
import { columnType, toSql } from './values'

const identity = { provider: 'sqlite', adapterName: 'gatehouse-sqlite' } as const

/** How long Prisma lets a transaction wait and then run, in milliseconds. `patienceMs` already limits the wait. */
export const transactionOptions = { maxWait: 10_000, timeout: 10_000 }

/** The adapter for PrismaClient. `$disconnect` or `database.close()` closes its connections. */
export function createAdapter(database: Sqlite): SqlMigrationAwareDriverAdapterFactory {
  const connect = async () => new SqliteAdapter(database)
  // The schema engine may request a shadow database. create-migration.ts uses a file of its own to compare schemas.
  const connectToShadowDb = () => Promise.reject(new Error('There is no shadow database.'))
  return { ...identity, connect, connectToShadowDb }
}

class SqliteAdapter implements SqlDriverAdapter {
  readonly provider = identity.provider
  readonly adapterName = identity.adapterName
  readonly #database: Sqlite

  constructor(database: Sqlite) {
    this.#database = database
  }

  /** As many values as SQLite takes in one statement; Prisma refuses or divides statements with more. */
  getConnectionInfo(): ConnectionInfo {
    return { maxBindValues: 32_766, supportsRelationJoins: false }
  }

  queryRaw(query: SqlQuery): Promise<SqlResultSet> {
    return toPrismaError(async () => toResultSet(await this.#query(query)))
  }

  executeRaw({ sql, args, argTypes }: SqlQuery): Promise<number> {
    return toPrismaError(() => this.#database.write((connection) => connection.execute(sql, bind(args, argTypes))))
  }

  executeScript(script: string): Promise<void> {
    return toPrismaError(() => this.#database.write((connection) => connection.script(script)))
  }

  /** Takes the write lock immediately, because a transaction that reads before it writes could find it taken. */
  async startTransaction(isolationLevel?: IsolationLevel): Promise<Transaction> {
    if (isolationLevel && isolationLevel !== 'SERIALIZABLE') {
      throw new DriverAdapterError({ kind: 'InvalidIsolationLevel', level: isolationLevel })
    }
    return toPrismaError(async () => {
      const turn = await this.#database.takeTurn()
      try {
        await untilUnlocked(() => turn.connection.execute('BEGIN IMMEDIATE', []), turn.deadline)
        return new SqliteTransaction(turn)
      } catch (error) {
        turn.release()
        throw error
      }
    })
  }

  async dispose(): Promise<void> {
    await this.#database.close()
  }

  /**
   * Statements that may write use the writing connection. `WITH` may do either: the reading connection refuses a write before it changes
   * anything.
   */
  async #query({ sql, args, argTypes }: SqlQuery): Promise<Rows> {
    const values = bind(args, argTypes)
    const reads = /^\s*(SELECT|EXPLAIN|WITH)\b/i.exec(sql)?.[1]?.toUpperCase()
    if (reads !== undefined) {
      try {
        return await this.#database.read(sql, values)
      } catch (error) {
        const writesAfterAll = reads === 'WITH' && error instanceof SqliteError && error.code === sqliteCode.readOnly
        if (!writesAfterAll) throw error
      }
    }
    return this.#database.write((connection) => connection.query(sql, values))
  }
}

/** Keeps this process's turn to write from BEGIN to the end. */
class SqliteTransaction implements Transaction {
  readonly provider = identity.provider
  readonly adapterName = identity.adapterName
  // Makes Prisma leave COMMIT and ROLLBACK to this adapter.
  readonly options = { usePhantomQuery: true }
  readonly #connection: Connection
  readonly #turn: WriteTurn
  #ended = false

  constructor(turn: WriteTurn) {
    this.#connection = turn.connection
    this.#turn = turn
  }

  queryRaw({ sql, args, argTypes }: SqlQuery): Promise<SqlResultSet> {
    return this.#run(() => toResultSet(this.#connection.query(sql, bind(args, argTypes))))
  }

  executeRaw({ sql, args, argTypes }: SqlQuery): Promise<number> {
    return this.#run(() => this.#connection.execute(sql, bind(args, argTypes)))
  }

  async commit(): Promise<void> {
    try {
      await this.#run(() => this.#connection.execute('COMMIT', []))
    } finally {
      this.#end()
    }
  }

  async rollback(): Promise<void> {
    this.#end()
  }

  async createSavepoint(name: string): Promise<void> {
    await this.#run(() => this.#connection.execute(`SAVEPOINT ${name}`, []))
  }

  async rollbackToSavepoint(name: string): Promise<void> {
    await this.#run(() => this.#connection.execute(`ROLLBACK TO ${name}`, []))
  }

  async releaseSavepoint(name: string): Promise<void> {
    await this.#run(() => this.#connection.execute(`RELEASE SAVEPOINT ${name}`, []))
  }

  /** After a full disk or a failed write SQLite may already have rolled back, and later statements would each commit separately. */
  #run<T>(work: () => T): Promise<T> {
    return toPrismaError(() => {
      if (this.#ended || !this.#connection.inTransaction) throw new SqliteError('the transaction is over', sqliteCode.error)
      return work()
    })
  }

  /** Only once: later the connection may be in another caller's transaction. */
  #end(): void {
    if (this.#ended) return
    this.#ended = true
    try {
      if (this.#connection.inTransaction) this.#connection.execute('ROLLBACK', [])
    } finally {
      this.#turn.release()
    }
  }
}

const bind = (args: readonly unknown[], types: SqlQuery['argTypes']) =>
  args.map((value, index) => toSql(value, types[index] ?? { scalarType: 'unknown', arity: 'scalar' }))

function toResultSet({ columns, types, rows }: Rows): SqlResultSet {
  const valuesOf = function* (index: number) {
    for (const row of rows) yield row[index]
  }
  return { columnNames: [...columns], columnTypes: types.map((type, index) => columnType(type, valuesOf(index))), rows }
}
