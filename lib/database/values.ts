/** Converts values between Prisma and SQLite, in the same format as earlier versions. */
import { type ArgType, type ColumnType, ColumnTypeEnum } from '@prisma/driver-adapter-utils'
import type { SqlValue } from './connection'

/**
 * Converts Prisma's argument for SQLite. Dates are ISO 8601 with `+00:00`, so that they sort as text. Bytes arrive as base64 or as
 * bytes.
 */
export function toSql(value: unknown, { scalarType }: ArgType): SqlValue {
  if (value === null || value === undefined) return null
  if (scalarType === 'datetime') return toStoredDate(value)
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'string') return textToSql(value, scalarType)
  if (typeof value === 'number') return Number.isSafeInteger(value) && scalarType !== 'float' ? BigInt(value) : value
  if (typeof value === 'bigint' || value instanceof Uint8Array) return value
  throw new TypeError(`A value of type ${typeof value} cannot be stored.`)
}

function textToSql(text: string, scalarType: ArgType['scalarType']): SqlValue {
  switch (scalarType) {
    case 'bytes':
      return Buffer.from(text, 'base64')
    case 'int':
    case 'bigint':
      return BigInt(text)
    case 'float':
    case 'decimal':
      return Number(text)
    default:
      return storableText(text)
  }
}

/**
 * SQLite's text ends at NUL and cannot contain lone surrogates: both become U+FFFD, in stored values and in queries. A text with a NUL
 * therefore matches no row, instead of the one whose text ends there.
 */
export const storableText = (text: string): string => text.replace(/[\0\p{Cs}]/gu, '\uFFFD')

/** JSON whose texts are storable: PostgreSQL refuses others also as escapes, and SQLite would end them there. */
export function toStorableJson(value: unknown): string {
  const json = JSON.stringify(value)
  if (!/\\u(0000|d[89a-f])/.test(json)) return json
  return JSON.stringify(value, (_, member) => (typeof member === 'string' ? storableText(member) : member))
}

function toStoredDate(value: unknown): string {
  const date = value instanceof Date ? value : new Date(String(value))
  return date.toISOString().replace('Z', '+00:00')
}

const declared: Record<string, ColumnType> = {
  INTEGER: ColumnTypeEnum.Int32,
  INT: ColumnTypeEnum.Int32,
  'INTEGER UNSIGNED': ColumnTypeEnum.Int32,
  BIGINT: ColumnTypeEnum.Int64,
  REAL: ColumnTypeEnum.Double,
  BOOLEAN: ColumnTypeEnum.Boolean,
  TEXT: ColumnTypeEnum.Text,
  DATETIME: ColumnTypeEnum.DateTime,
  BLOB: ColumnTypeEnum.Bytes,
}

/** The type of a column: the declared one, or for an expression that of its first value. */
export function columnType(type: string | null, values: Iterable<unknown>): ColumnType {
  const known = type === null ? undefined : declared[type.toUpperCase()]
  if (known !== undefined) return known
  for (const value of values) if (value !== null) return inferType(value)
  return ColumnTypeEnum.Int32
}

function inferType(value: unknown): ColumnType {
  if (typeof value === 'string') return ColumnTypeEnum.Text
  return value instanceof Uint8Array ? ColumnTypeEnum.Bytes : ColumnTypeEnum.UnknownNumber
}
