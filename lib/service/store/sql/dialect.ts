/** Raw SQL: the few expressions that SQLite and PostgreSQL write differently. Everything else here is understood by both. */
import { toStorableJson } from '@/lib/database/values'
import { Prisma } from '@/prisma/generated/service/client'
import { isOnPostgresql } from '../db'
import type { Database } from '../store'

type Dialect = {
  /** For FROM: a row "item" with "value" for each item of a list of JSON objects or lists, whose members are read with ->> as text. */
  items(list: readonly unknown[]): Prisma.Sql
  /** A text that is one of an enum's values. */
  enumValue(text: Prisma.Sql, name: 'RunState' | 'MachineState'): Prisma.Sql
  /** A statement that commits a write which changes nothing. */
  writeNothing: Prisma.Sql
}

const sqlite: Dialect = {
  items: (list) => Prisma.sql`json_each(${toStorableJson(list)}) AS "item"`,
  enumValue: (text) => text,
  writeNothing: Prisma.sql`PRAGMA user_version = 0`,
}

const postgresql: Dialect = {
  items: (list) => Prisma.sql`json_array_elements(CAST(${toStorableJson(list)} AS json)) AS "item"("value")`,
  enumValue: (text, name) => Prisma.sql`CAST(${text} AS ${Prisma.raw(`"${name}"`)})`,
  writeNothing: Prisma.sql`SELECT pg_logical_emit_message(true, 'gatehouse', '')`,
}

/** Raw because it is part of statements. That of the database. */
export const dialectOf = (db: Database): Dialect => (isOnPostgresql(db) ? postgresql : sqlite)
