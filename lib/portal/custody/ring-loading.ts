/** Loads the key ring from its rows and this installation's keys, and checks that they belong together. */
import 'server-only'
import { existsSync } from 'node:fs'
import { db } from '@/lib/portal/base/db'
import { open, seal } from '@/lib/sealing/envelope'
import type { Kek } from '@/lib/sealing/kek'
import { KeyFileError, readKeyFile } from '@/lib/sealing/key-file'
import { getSettings } from '@/lib/settings/settings'
import type { KeyEncryptionKey } from '@/prisma/generated/portal/client'
import { bindCanary } from './binding'
import { findProvider, type KekProvider } from './provider'

/** The ring and this installation's keys do not match; the message is one line for the operator. */
export class RingError extends KeyFileError {
  override name = 'RingError'
}

/** The binding of connections: 1 without kind and label, 2 with them. */
export type BindingFormat = 1 | 2

/** active encrypts; keks decrypt, by id: the active one and those kept for reading. format: see rebinding.ts. */
export type Ring = { active: Kek; keks: ReadonlyMap<string, Kek>; format: BindingFormat }

// The check value also states the format, so only a holder of the key can change it.
const canaryTexts: Readonly<Record<BindingFormat, string>> = { 1: 'gatehouse canary', 2: 'gatehouse canary 2' }

/**
 * Loads the keys and checks each against its row, or throws RingError or KeyFileError with one line that says what is wrong. Adds the
 * first key if nothing has been encrypted yet.
 */
export async function loadRing(): Promise<Ring> {
  const provider = findProvider(getSettings())
  const loaded = provider.load()
  refuseSessionSecret(loaded, provider)
  const byId = new Map(loaded.map((kek) => [kek.id, kek]))
  // Nothing is encrypted under a pending key yet, so a missing key file was lost in an interrupted rotation and is ignored.
  const rows = (await requireRows(loaded[0], provider)).filter(({ id, state }) => state !== 'pending' || byId.has(id))
  const proven = new Map(rows.map((row) => [row.id, proveRow(row, byId.get(row.id), provider)]))
  const active = proven.get(rows.find((row) => row.state === 'active')?.id ?? '')
  if (!active) throw new RingError('The key ring has no active key. Restore the database from a copy.')
  return { active: active.kek, keks: new Map([...proven].map(([id, { kek }]) => [id, kek])), format: active.format }
}

/** If one secret served both purposes, a leak would compromise both. */
function refuseSessionSecret(keks: readonly Kek[], provider: KekProvider): void {
  const path = getSettings().sessionSecretFile
  if (!existsSync(path)) return
  const sessionSecret = readKeyFile(path)
  const same = keks.some((kek) => kek.key.equals(sessionSecret))
  sessionSecret.fill(0)
  if (same) throw new RingError(`${capitalised(provider.place)} is also the session secret. Give each its own.`)
}

/** The rows that are not retired; creates the first one if nothing has been encrypted yet. */
async function requireRows(first: Kek, provider: KekProvider): Promise<KeyEncryptionKey[]> {
  const inUse = await db().keyEncryptionKey.findMany({ where: { state: { not: 'retired' } } })
  if (inUse.length > 0) return inUse
  const [connections, secrets] = await Promise.all([db().connection.count(), db().sealedSecret.count()])
  // Read after the secrets are counted: a simultaneous first start enters its key before it encrypts anything.
  const entered = await db().keyEncryptionKey.findMany()
  const enteredInUse = entered.filter(({ state }) => state !== 'retired')
  if (enteredInUse.length > 0) return enteredInUse
  if (entered.length + connections + secrets > 0) {
    throw new RingError('The database contains encrypted keys, but its key ring is empty. Restore the database from a backup.')
  }
  return [await enterKek(first, provider, 'active', 2)]
}

/** Adds a key with its check value; an existing row stays unchanged, so that two simultaneous starts agree. */
export function enterKek(kek: Kek, provider: KekProvider, state: 'active' | 'pending', format: BindingFormat): Promise<KeyEncryptionKey> {
  const canary = sealCanary(kek, format)
  return db().keyEncryptionKey.upsert({ where: { id: kek.id }, update: {}, create: { id: kek.id, provider: provider.name, state, canary } })
}

/** A key's check value. */
export function sealCanary(kek: Kek, format: BindingFormat): Uint8Array<ArrayBuffer> {
  return seal({ kek, plaintext: Buffer.from(canaryTexts[format]), aad: bindCanary(kek.id) })
}

/** The key, if it decrypts the row's check value, and the format that this value states. */
function proveRow(row: KeyEncryptionKey, kek: Kek | undefined, provider: KekProvider): { kek: Kek; format: BindingFormat } {
  if (!kek) {
    throw new RingError(`${capitalised(provider.place)} does not belong to this database, which needs the key ${row.id}.`)
  }
  try {
    const text = open({ keks: (id) => (id === kek.id ? kek : undefined), blob: row.canary, aad: bindCanary(row.id) })
    if (text.toString() === canaryTexts[2]) return { kek, format: 2 }
    if (text.toString() === canaryTexts[1]) return { kek, format: 1 }
  } catch {
    // Reported below, like a check value with the wrong text.
  }
  throw new RingError(`The key ${row.id} does not decrypt its own check value: the key ring in the database was changed.`)
}

const capitalised = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`
