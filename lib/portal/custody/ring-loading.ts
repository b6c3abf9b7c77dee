/** The key ring from its rows and this installation's keys, with the proof that they belong together. */
import 'server-only'
import { existsSync } from 'node:fs'
import { open, seal } from '@/lib/sealing/envelope'
import type { Kek } from '@/lib/sealing/kek'
import { KeyFileError, readKeyFile } from '@/lib/sealing/key-file'
import { getSettings } from '@/lib/settings/settings'
import type { KeyRing } from '@/prisma/generated/portal/client'
import { db } from '../db'
import { bindCanary } from './binding'
import { findProvider, type KekProvider } from './provider'

/** The ring and this installation's keys do not fit; the message is one line for the operator. */
export class RingError extends KeyFileError {
  override name = 'RingError'
}

/** active seals; keks, by id, open: the active one and those kept for reading. */
export type Ring = { active: Kek; keks: ReadonlyMap<string, Kek> }

const canaryText = 'gatehouse canary'

/**
 * Loads the keys and proves each against its row, or throws RingError or KeyFileError with one line that names what is
 * wrong. The first key is entered when nothing was ever sealed.
 */
export async function loadRing(): Promise<Ring> {
  const provider = findProvider(getSettings())
  const loaded = provider.load()
  refuseSessionSecret(loaded, provider)
  const byId = new Map(loaded.map((kek) => [kek.id, kek]))
  // Under a pending key nothing lies yet: one whose file is gone was left by a rotation that was broken off.
  const rows = (await requireRows(loaded[0], provider)).filter(({ id, state }) => state !== 'pending' || byId.has(id))
  const keks = new Map(rows.map((row) => [row.id, proveRow(row, byId.get(row.id), provider)]))
  const active = keks.get(rows.find((row) => row.state === 'active')?.id ?? '')
  if (!active) throw new RingError('The key ring has no active key. Restore the database from a copy.')
  return { active, keks }
}

/** One secret for two purposes falls with either of them. */
function refuseSessionSecret(keks: readonly Kek[], provider: KekProvider): void {
  const path = getSettings().sessionSecretFile
  if (!existsSync(path)) return
  const sessionSecret = readKeyFile(path)
  const same = keks.some((kek) => kek.key.equals(sessionSecret))
  sessionSecret.fill(0)
  if (same) throw new RingError(`${capitalised(provider.place)} is also the session secret. Give each its own.`)
}

/** The rows not retired; the first one is made where nothing was ever sealed. */
async function requireRows(first: Kek, provider: KekProvider): Promise<KeyRing[]> {
  const rows = await db().keyRing.findMany({ where: { state: { not: 'retired' } } })
  if (rows.length > 0) return rows
  const [rings, connections, secrets] = await Promise.all([db().keyRing.count(), db().connection.count(), db().sealedSecret.count()])
  if (rings + connections + secrets > 0) {
    throw new RingError('The database holds sealed keys, but its key ring is empty. Restore it from a copy.')
  }
  return [await enterKek(first, provider, 'active')]
}

/** Enters a key with its check value; one that is there already stays as it is, so two that start at once agree. */
export function enterKek(kek: Kek, provider: KekProvider, state: 'active' | 'pending'): Promise<KeyRing> {
  const canary = seal({ kek, plaintext: Buffer.from(canaryText), aad: bindCanary(kek.id) })
  return db().keyRing.upsert({ where: { id: kek.id }, update: {}, create: { id: kek.id, provider: provider.name, state, canary } })
}

/** The key, once it has opened the row's canary. */
function proveRow(row: KeyRing, kek: Kek | undefined, provider: KekProvider): Kek {
  if (!kek) {
    throw new RingError(`${capitalised(provider.place)} does not belong to this database: it needs the key ${row.id}.`)
  }
  try {
    const text = open({ keks: (id) => (id === kek.id ? kek : undefined), blob: row.canary, aad: bindCanary(row.id) })
    if (text.toString() === canaryText) return kek
  } catch {
    // Told below, like a canary with another text.
  }
  throw new RingError(`The key ${row.id} does not open its own check value: the key ring in the database was changed.`)
}

const capitalised = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`
