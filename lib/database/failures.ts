/** Maps SQLite's errors to Prisma's, so that callers get the same codes (P2002, P2003, …) as with any other driver. */
import { DriverAdapterError, type Error as Mapped } from '@prisma/driver-adapter-utils'
import { isBusy, SqliteError } from './connection'

/** Runs the work; throws SQLite errors as DriverAdapterError, others unchanged. */
export async function toPrismaError<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof SqliteError)) throw error
    throw new DriverAdapterError({ originalCode: String(error.code), originalMessage: error.message, ...describe(error) })
  }
}

function describe(error: SqliteError): Mapped {
  const { message } = error
  const named = (prefix: string) => (message.startsWith(prefix) ? message.slice(prefix.length) : null)
  const unique = named('UNIQUE constraint failed: ')
  if (unique !== null) return { kind: 'UniqueConstraintViolation', constraint: { fields: fieldsOf(unique) } }
  const missing = named('NOT NULL constraint failed: ')
  if (missing !== null) return { kind: 'NullConstraintViolation', constraint: { fields: fieldsOf(missing) } }
  if (message.startsWith('FOREIGN KEY constraint failed')) return { kind: 'ForeignKeyConstraintViolation', constraint: { foreignKey: {} } }
  return isBusy(error) ? { kind: 'SocketTimeout' } : { kind: 'sqlite', extendedCode: error.code, message }
}

/** `Team.id, Team.name` → `id`, `name` */
const fieldsOf = (list: string): string[] => list.split(', ').map((name) => name.slice(name.lastIndexOf('.') + 1))
