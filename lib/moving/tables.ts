/** The tables of a half's database on PostgreSQL, and how a value of SQLite is written there. */
import type pg from 'pg'

export type Column = { name: string; type: string }
export type Table = { name: string; columns: Column[] }

/** Those that other tables refer to come first. Without the one with migrations. */
export async function listTables(session: pg.Client): Promise<Table[]> {
  const { rows: columns } = await session.query<{ table: string; name: string; type: string }>(
    `SELECT table_name AS table, column_name AS name, data_type AS type FROM information_schema.columns
     JOIN information_schema.tables USING (table_schema, table_name)
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND table_name <> '_prisma_migrations' ORDER BY table_name, ordinal_position`,
  )
  const { rows: references } = await session.query<{ from: string; to: string }>(
    `SELECT DISTINCT child.relname AS from, parent.relname AS to FROM pg_constraint
     JOIN pg_class AS child ON child.oid = conrelid JOIN pg_class AS parent ON parent.oid = confrelid WHERE contype = 'f'`,
  )
  const tables = new Map<string, Table>()
  for (const { table, name, type } of columns) {
    const known = tables.get(table) ?? { name: table, columns: [] }
    known.columns.push({ name, type })
    tables.set(table, known)
  }
  return order([...tables.values()], references)
}

/** Throws if tables refer to each other in a circle: a row then needs another one first. */
export function order(tables: readonly Table[], references: readonly { from: string; to: string }[]): Table[] {
  const left = [...tables]
  const ordered: Table[] = []
  while (left.length > 0) {
    const place = left.findIndex(({ name }) =>
      references.every(({ from, to }) => from !== name || ordered.some((done) => done.name === to)),
    )
    if (place === -1) throw new Error(`Tables refer to each other: ${left.map(({ name }) => name).join(', ')}`)
    ordered.push(...left.splice(place, 1))
  }
  return ordered
}

/** For json_populate_recordset. SQLite keeps booleans as 0 and 1, times as text or milliseconds, and everything in UTC. */
export function convert(value: unknown, type: string): unknown {
  if (value === null) return null
  if (type === 'boolean') return Number(value) !== 0
  if (type === 'bytea') return `\\x${Buffer.from(value as Uint8Array).toString('hex')}`
  if (type.startsWith('timestamp') && typeof value !== 'string') return new Date(Number(value)).toISOString()
  return typeof value === 'bigint' ? value.toString() : value
}
