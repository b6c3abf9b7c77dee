/** An upstream API key: encrypted on input, identified by a fingerprint, never returned. */
import 'server-only'
import { createHmac } from 'node:crypto'
import type { Connection } from '@/prisma/generated/portal/client'
import { bindConnection, type ConnectionIdentity } from './binding'
import { type CallableConnection, withOpenKey } from './open-key'
import { sealUnderRing } from './ring'
import { findOrCreateSecret } from './secrets'

export type SealedCredential = { sealedKey: Uint8Array<ArrayBuffer>; kekId: string; fingerprint: string }

/** Whether a text can be an API key: 8 to 4096 visible ASCII characters, the ones allowed in the header. */
export function isUsableKey(key: string): boolean {
  return /^[\x21-\x7e]{8,4096}$/.test(key)
}

/**
 * Encrypts an API key for a connection's row. Its fingerprint is salted per row, so that equal keys cannot be recognised. Throws RangeError
 * if the text cannot be a key (see isUsableKey).
 */
export async function sealCredential({ connection, key }: { connection: ConnectionIdentity; key: string }): Promise<SealedCredential> {
  if (!isUsableKey(key)) throw new RangeError('An API key has 8 to 4096 visible characters.')
  const plaintext = Buffer.from(key, 'latin1')
  try {
    const { sealed, kekId } = await sealUnderRing(plaintext, bindConnection(connection))
    return { sealedKey: sealed, kekId, fingerprint: await fingerprint(connection, plaintext) }
  } finally {
    plaintext.fill(0)
  }
}

/**
 * The connection's key re-encrypted for another label, to be stored together with that label. Null if the key cannot be decrypted:
 * then the label can change without it.
 */
export async function resealForLabel(
  connection: CallableConnection,
  label: string,
): Promise<Pick<SealedCredential, 'sealedKey' | 'kekId'> | null> {
  return withOpenKey(connection, async (key) => {
    const { sealed, kekId } = await sealUnderRing(key, bindConnection({ ...connection, label }))
    return { sealedKey: sealed, kekId }
  })
}

/** Whether a text is the key of a connection. Compares fingerprints, so nothing is decrypted. */
export async function holdsKey(connection: ConnectionIdentity & Pick<Connection, 'fingerprint'>, key: string): Promise<boolean> {
  const plaintext = Buffer.from(key, 'latin1')
  try {
    return (await fingerprint(connection, plaintext)) === connection.fingerprint
  } finally {
    plaintext.fill(0)
  }
}

/** Four groups of four digits, enough to tell two keys of one connection apart. */
async function fingerprint({ id, secretVersion }: Pick<ConnectionIdentity, 'id' | 'secretVersion'>, key: Buffer): Promise<string> {
  const salt = await findOrCreateSecret('fingerprint')
  const digest = createHmac('sha256', salt.key).update(`${id}\n${secretVersion}\n`).update(key).digest('hex')
  return digest.slice(0, 16).replace(/(.{4})(?=.)/g, '$1 ')
}
