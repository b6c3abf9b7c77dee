/** PostgreSQL that fails at a chosen statement, as a full or damaged disk or a broken connection makes it fail. */
import pg from 'pg'
import { Postgresql } from '@/lib/database/postgresql'
import type { PostgresqlAddress } from '@/lib/settings/database'

const failure = (message: string, code: string) => Object.assign(new Error(message), { code, severity: 'ERROR' })

const faults = {
  IOERR: () => failure('could not read block 0: Input/output error', '58030'),
  FULL: () => failure('could not extend file: No space left on device', '53100'),
  CORRUPT: () => failure('invalid page in block 0', 'XX001'),
} as const

type PostgresqlFault = keyof typeof faults

/** As FaultyDatabase. */
export type FaultyPostgresql = {
  database: Postgresql
  failAt(statement: number, fault: PostgresqlFault, options?: { once?: boolean }): void
  heal(): void
  count(): number
}

type Callback = (error: Error) => void

/** A database of the real driver, with the fault put in front of the statement: PostgreSQL sees neither it nor those after it. */
export function openFaultyPostgresql(address: PostgresqlAddress): FaultyPostgresql {
  let [ran, failing]: [number, { at: number; fault: PostgresqlFault; once: boolean } | null] = [0, null]
  const fails = () => {
    ran += 1
    return failing !== null && (failing.once ? ran === failing.at : ran >= failing.at) ? faults[failing.fault]() : null
  }
  class FaultyClient extends pg.Client {
    // A rollback ends what failed, and asking for the version of the data is no statement of a change.
    override query = ((...given: unknown[]) => {
      const [what] = given
      const sql = typeof what === 'string' ? what : String((what as pg.QueryConfig).text)
      const error = sql === 'ROLLBACK' || sql.includes('pg_current_snapshot') ? null : fails()
      if (error === null) return (super.query as (...all: unknown[]) => unknown)(...given)
      const callback = given.at(-1)
      if (typeof callback !== 'function') return Promise.reject(error)
      setImmediate(() => (callback as Callback)(error))
      return undefined
    }) as unknown as pg.Client['query']
  }
  return {
    database: new Postgresql(address, FaultyClient),
    failAt: (at, fault, { once = false } = {}) => {
      ;[ran, failing] = [0, { at, fault, once }]
    },
    heal: () => {
      ;[ran, failing] = [0, null]
    },
    count: () => ran,
  }
}
