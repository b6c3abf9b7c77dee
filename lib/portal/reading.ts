/** Readings of the portal's database that stand for as long as nothing is written to it. */
import 'server-only'
import Database from 'libsql'
import { getSettings } from '@/lib/settings/settings'
import type { PrismaClient } from '@/prisma/generated/portal/client'
import { db } from './db'

type Readings = { readVersion: () => number; version: number; kept: Map<string, Promise<unknown>> }

// A bound for a quiet database that many people read; usually a write comes first.
const mostKept = 10_000

// Shared by all route bundles of the process, and gone with the client they belong to.
const holder: { gatehouseReadings?: WeakMap<PrismaClient, Readings> } = globalThis as object

function readings(): Readings {
  holder.gatehouseReadings ??= new WeakMap()
  const found = holder.gatehouseReadings.get(db())
  if (found) return found
  // Asked several times a request: a statement prepared once takes microseconds, where a client's call takes a tenth of a millisecond.
  const statement = new Database(getSettings().portalDatabase, { timeout: 5000 }).prepare('PRAGMA data_version')
  const made: Readings = { readVersion: () => (statement.get() as { data_version: number }).data_version, version: 0, kept: new Map() }
  holder.gatehouseReadings.set(db(), made)
  return made
}

/**
 * What `read` gave for this key, unless anything at all was committed since, by this process or another: SQLite's
 * `data_version` tells a connection of every commit that is not its own, and the watcher makes none. So the answer is
 * never older than the question, and rights that were taken away are gone at once. Nobody may change what comes back.
 * Time passes unwritten: what holds only until some moment is compared by the caller.
 */
export async function whileUnchanged<T>(key: string, read: () => Promise<T>): Promise<T> {
  const own = readings()
  const version = own.readVersion()
  if (version !== own.version || own.kept.size >= mostKept) {
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
