/** Raw SQL: the few expressions that SQLite and PostgreSQL write differently. Everything else here is understood by both. */
import 'server-only'
import { toStorableJson } from '@/lib/database/values'
import { Prisma } from '@/prisma/generated/portal/client'
import { database } from '../db'

type Dialect = {
  /** For FROM: a row with "value" for each item of a list of JSON objects or lists, whose members are read with ->> as text. */
  items(list: readonly unknown[], alias: string): Prisma.Sql
  /** For FROM: a row with "value" for each text of a list. */
  texts(list: readonly string[], alias: string): Prisma.Sql
  /** One text: a JSON list with a list of these values for each row. */
  lines(values: Prisma.Sql, orderBy: Prisma.Sql): Prisma.Sql
  /** One text: a JSON list with this value of each row. */
  list(value: Prisma.Sql): Prisma.Sql
  /** A time as a value of `lines` or `list`: ISO text that ends in Z, so that it compares as text. */
  time(column: Prisma.Sql): Prisma.Sql
  /** A member of a text that should be a JSON object, or null. */
  member(text: Prisma.Sql, name: string): Prisma.Sql
  /** A column by which SQLite must not choose an index. */
  unindexed(column: Prisma.Sql): Prisma.Sql
  /** A statement that commits a write which changes nothing. */
  writeNothing: Prisma.Sql
}

const sqlite: Dialect = {
  items: (list, alias) => Prisma.sql`json_each(${toStorableJson(list)}) AS ${quoted(alias)}`,
  texts: (list, alias) => Prisma.sql`json_each(${toStorableJson(list)}) AS ${quoted(alias)}`,
  lines: (values, orderBy) => Prisma.sql`json_group_array(json_array(${values}) ORDER BY ${orderBy})`,
  list: (value) => Prisma.sql`json_group_array(${value})`,
  time: (column) => Prisma.sql`replace(${column}, '+00:00', 'Z')`,
  member: (text, name) => Prisma.sql`CASE WHEN json_valid(${text}) THEN json_extract(${text}, ${Prisma.raw(`'$."${name}"'`)}) END`,
  unindexed: (column) => Prisma.sql`+${column}`,
  writeNothing: Prisma.sql`PRAGMA user_version = 0`,
}

const postgresql: Dialect = {
  items: (list, alias) => Prisma.sql`json_array_elements(CAST(${toStorableJson(list)} AS json)) AS ${quoted(alias)}("value")`,
  texts: (list, alias) => Prisma.sql`json_array_elements_text(CAST(${toStorableJson(list)} AS json)) AS ${quoted(alias)}("value")`,
  lines: (values, orderBy) => Prisma.sql`CAST(coalesce(json_agg(json_build_array(${values}) ORDER BY ${orderBy}), '[]') AS text)`,
  list: (value) => Prisma.sql`CAST(coalesce(json_agg(${value}), '[]') AS text)`,
  // Columns have no time zone; all times are in UTC.
  time: (column) => Prisma.sql`to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  // A function of the first migration, because PostgreSQL 15 ends the statement at a text that is no JSON.
  member: (text, name) => Prisma.sql`"json_member"(${text}, ${Prisma.raw(`'${name}'`)})`,
  unindexed: (column) => column,
  writeNothing: Prisma.sql`SELECT pg_logical_emit_message(true, 'gatehouse', '')`,
}

/** Raw because it is part of statements. A name of these files, never text from elsewhere. */
export const quoted = (name: string): Prisma.Sql => Prisma.raw(`"${name}"`)

/** Raw because it is part of statements. That of the open database. */
export const dialect = (): Dialect => (database().engine === 'postgresql' ? postgresql : sqlite)

/** Raw because there may be thousands of ids: as JSON they are one parameter, where Prisma would use one per id and prepare a statement for every length. */
export const among = (ids: readonly string[]): Prisma.Sql => Prisma.sql`IN (SELECT "value" FROM ${dialect().texts(ids, 'among')})`
