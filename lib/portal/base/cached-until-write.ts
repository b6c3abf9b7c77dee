/** Caches values from the portal's database until anything is written to it. */
import 'server-only'
import { type Database, database } from './db'
import { processState } from './process-state'

type Readings = { version: number | string; kept: Map<string, Promise<unknown>> }

// An upper bound for many readers of a database without writes; usually a write clears the cache first.
const maxKept = 10_000

const readings = processState('readings', () => new WeakMap<Database, Readings>())

function readingsOf(source: Database): Readings {
  const found = readings().get(source) ?? { version: 0, kept: new Map() }
  readings().set(source, found)
  return found
}

/**
 * Returns what `read` returned for this key, unless this process or another has committed a write since. SQLite's `data_version` reports
 * all commits except those of the connection that reads it, and that one never writes; PostgreSQL shows each commit in its snapshots. A commit of this process counts at once, one of
 * another process for each request that arrives after it (`noteArrival`), and for all else from the next turn of the event loop on, so revoked
 * permissions take effect immediately. Callers must not mutate the result.
 * Expiry causes no write, so callers must compare times themselves.
 */
export async function cachedUntilWrite<T>(key: string, read: () => Promise<T>): Promise<T> {
  const source = database()
  const own = readingsOf(source)
  const asked = source.dataVersion()
  // SQLite knows it at once, and thousands of reads a second ask.
  const version = typeof asked === 'number' ? asked : await asked
  if (version !== own.version || own.kept.size >= maxKept) {
    own.kept.clear()
    own.version = version
  }
  const known = own.kept.get(key) as Promise<T> | undefined
  if (known) return known
  const reading = read()
  own.kept.set(key, reading)
  reading.catch(() => own.kept.get(key) === reading && own.kept.delete(key))
  return reading
}

/**
 * A request has arrived, so what it is answered with is not older than this moment. Without that it could be answered by what was asked in a long
 * turn of the event loop, such as the rendering of another page, before a commit that its sender knows of.
 */
export const noteArrival = (): void => database().forgetVersion()
