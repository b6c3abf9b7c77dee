/** Copies every row of a database in a file to an empty one on PostgreSQL, in one transaction: whatever interrupts it leaves that one empty. */
import pg from 'pg'
import { olderDatabase } from '@/lib/database/any-version'
import { claimDatabase } from '@/lib/database/claim'
import { type Connection, openConnection } from '@/lib/database/connection'
import { DatabaseError } from '@/lib/database/database-error'
import { commandWaitMs } from '@/lib/database/patience'
import { describeAddress } from '@/lib/database/postgresql'
import { withSession } from '@/lib/database/postgresql-session'
import { findPending } from '@/lib/database/prepare'
import { preparePlace } from '@/lib/database/prepare-place'
import type { SchemaName } from '@/lib/database/schema-engine'
import { toStorableJson } from '@/lib/database/values'
import type { PostgresqlAddress } from '@/lib/settings/database'
import { convert, listTables, type Table } from './tables'

export type Move = { file: string; schema: SchemaName; address: PostgresqlAddress }

/** By table. */
export type Counts = Map<string, number>

/** So many rows are in memory at once. */
const batchRows = 1000

/** The lock of writers, so that a portal which starts meanwhile changes nothing: lib/database/postgresql-adapter.ts. */
const takeLock = `SELECT pg_advisory_xact_lock(hashtext('gatehouse'), hashtext('write'))`

/**
 * Prepares the database on PostgreSQL, copies, and counts each table on both sides before it commits. The file is only read. Rejects with ClaimError while the file
 * is in use, and with DatabaseError if it is of an older version, or if the other database is not empty.
 */
export async function copyRows({ file, schema, address }: Move): Promise<Counts> {
  const release = claimDatabase(file)
  try {
    if (findPending(file, schema).length > 0) throw new DatabaseError(olderDatabase)
    await preparePlace(address, schema)
    return await withSource(file, (source) =>
      withSession(address, async (target) => {
        const tables = await listTables(target)
        await target.query(`BEGIN; SET LOCAL statement_timeout = 0; ${takeLock}`)
        await requireNoRows(target, tables, address)
        const counts: Counts = new Map()
        for (const table of tables) counts.set(table.name, await copyTable(source, target, table))
        for (const table of tables) await compareCounts(source, target, table)
        await target.query('COMMIT')
        await target.query('ANALYZE')
        return counts
      }),
    )
  } finally {
    release()
  }
}

async function withSource<T>(file: string, work: (source: Connection) => Promise<T>): Promise<T> {
  const source = openConnection(file, { readOnly: true, waitMs: commandWaitMs })
  try {
    // All of it is read as it is now.
    source.script('BEGIN')
    return await work(source)
  } finally {
    source.close()
  }
}

async function requireNoRows(target: pg.Client, tables: readonly Table[], address: PostgresqlAddress): Promise<void> {
  for (const { name } of tables) {
    const { rows } = await target.query(`SELECT 1 FROM ${pg.escapeIdentifier(name)} LIMIT 1`)
    if (rows.length > 0) {
      throw new DatabaseError(`The database ${describeAddress(address)} is not empty: ${name} has rows. Name an empty one.`)
    }
  }
}

async function copyTable(source: Connection, target: pg.Client, { name, columns }: Table): Promise<number> {
  const table = pg.escapeIdentifier(name)
  const names = columns.map((column) => pg.escapeIdentifier(column.name)).join(', ')
  const read = `SELECT rowid, ${names} FROM ${table} WHERE rowid > ? ORDER BY rowid LIMIT ${batchRows}`
  const write = `INSERT INTO ${table} (${names}) SELECT ${names} FROM json_populate_recordset(NULL::${table}, $1::json)`
  let copied = 0
  for (let last = Number.MIN_SAFE_INTEGER; ; ) {
    const { rows } = source.query(read, [last])
    if (rows.length === 0) return copied
    const objects = rows.map(([, ...values]) =>
      Object.fromEntries(columns.map((column, place) => [column.name, convert(values[place], column.type)])),
    )
    await target.query(write, [toStorableJson(objects)])
    copied += rows.length
    last = Number(rows.at(-1)?.[0])
  }
}

async function compareCounts(source: Connection, target: pg.Client, { name }: Table): Promise<void> {
  const count = `SELECT count(*) AS rows FROM ${pg.escapeIdentifier(name)}`
  const here = Number(source.query(count, []).rows[0]?.[0])
  const there = Number((await target.query<{ rows: string }>(count)).rows[0]?.rows)
  if (here !== there) throw new DatabaseError(`${name} has ${here} rows in the file and ${there} in the copy. Nothing was moved.`)
}

/** Removes the rows of a copy that is not to be used. Rejects with DatabaseError. */
export const removeRows = (address: PostgresqlAddress): Promise<void> =>
  withSession(address, async (target) => {
    const tables = await listTables(target)
    await target.query(`BEGIN; ${takeLock}`)
    for (const { name } of tables.reverse()) await target.query(`DELETE FROM ${pg.escapeIdentifier(name)}`)
    await target.query('COMMIT')
  })
