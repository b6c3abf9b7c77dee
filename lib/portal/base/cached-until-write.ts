/** Readings of the portal's database that stand for as long as nothing is written to it. */
import 'server-only'
import type { Sqlite } from '@/lib/database/sqlite'
import { databaseFile } from './db'
import { processState } from './process-state'

type Readings = { version: number; kept: Map<string, Promise<unknown>> }

// A bound for a quiet database that many people read; usually a write comes first.
const maxKept = 10_000

const readings = processState('readings', () => new WeakMap<Sqlite, Readings>())

function readingsOf(database: Sqlite): Readings {
  const found = readings().get(database) ?? { version: 0, kept: new Map() }
  readings().set(database, found)
  return found
}

/**
 * What `read` gave for this key, unless anything at all was committed since, by this process or another: SQLite's
 * `data_version` tells a connection of every commit that is not its own, and the one that reads makes none. So the answer is
 * never older than the question, and rights that were taken away are gone at once. Nobody may change what comes back.
 * Time passes unwritten: what holds only until some moment is compared by the caller.
 */
export async function cachedUntilWrite<T>(key: string, read: () => Promise<T>): Promise<T> {
  const database = databaseFile()
  const own = readingsOf(database)
  const version = database.dataVersion()
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
