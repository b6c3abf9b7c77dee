/** Envelope encryption: each secret has a data key, which is encrypted under a key-encryption key with an id. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { encodeFields } from './associated-data'
import type { Kek } from './kek'

// Layout, all lengths in bytes:
//   version 1 | algorithm 1 | kek id 8 | wrap nonce 12 | data key 32 | its tag 16 | data nonce 12 | ciphertext n | tag 16
const version = 1
const aes256Gcm = 1
const kekIdBytes = 8
const nonceBytes = 12
const keyBytes = 32
// Node accepts tags as short as 4 bytes unless the length is given for both encryption and decryption.
const tagBytes = 16
const wrapStart = 2 + kekIdBytes
const dataStart = wrapStart + nonceBytes + keyBytes + tagBytes
const overheadBytes = dataStart + nonceBytes + tagBytes

/** The longest secret that can be encrypted; any reasonable private key fits. */
export const maxPlaintextBytes = 64 * 1024

/** The only error of decryption. It gives no reason, so that an attacker learns nothing from it. */
export class SealBroken extends Error {
  constructor() {
    super('This encrypted value cannot be decrypted.')
    this.name = 'SealBroken'
  }
}

/** Finds a key by the id in a blob; undefined if this process does not have it. */
export type FindKek = (kekId: string) => Kek | undefined

/**
 * Encrypts a secret under a new data key. `aad`: the fields that the blob is bound to (table, column, record, owner…); decryption
 * requires the same ones in the same order. The caller overwrites `plaintext`. Throws RangeError above 64 KiB.
 */
export function seal({ kek, plaintext, aad }: { kek: Kek; plaintext: Uint8Array; aad: readonly string[] }): Uint8Array<ArrayBuffer> {
  if (plaintext.length > maxPlaintextBytes) throw new RangeError(`A secret has at most ${maxPlaintextBytes} bytes.`)
  const dataKey = randomBytes(keyBytes)
  try {
    return join(wrap(kek, dataKey, aad), encrypt(dataKey, plaintext, dataAad(aad)))
  } finally {
    dataKey.fill(0)
  }
}

/** Decrypts a blob. The caller overwrites the result (`buffer.fill(0)`). Throws SealBroken for every kind of failure. */
export function open({ keks, blob, aad }: { keks: FindKek; blob: Uint8Array; aad: readonly string[] }): Buffer {
  const dataKey = unwrap(keks, blob, aad) ?? randomBytes(keyBytes)
  try {
    // If the data key could not be unwrapped, this runs with a random one, so that both failures look the same.
    const plaintext = decrypt(dataKey, blob.subarray(dataStart), dataAad(aad))
    if (!plaintext) throw new SealBroken()
    return plaintext
  } finally {
    dataKey.fill(0)
  }
}

/** Re-wraps a blob under another key-encryption key; the secret's own ciphertext stays unchanged. Throws SealBroken. */
export function rewrap({
  keks,
  blob,
  aad,
  to,
}: {
  keks: FindKek
  blob: Uint8Array
  aad: readonly string[]
  to: Kek
}): Uint8Array<ArrayBuffer> {
  const dataKey = unwrap(keks, blob, aad)
  if (!dataKey) throw new SealBroken()
  try {
    return join(wrap(to, dataKey, aad), blob.subarray(dataStart))
  } finally {
    dataKey.fill(0)
  }
}

/** The id of the key that a blob needs; null if it is not a valid blob. */
export function findKekId(blob: Uint8Array): string | null {
  if (blob.length < overheadBytes || blob.length > overheadBytes + maxPlaintextBytes) return null
  if (blob[0] !== version || blob[1] !== aes256Gcm) return null
  return Buffer.from(blob.subarray(2, wrapStart)).toString('hex')
}

// The wrapped key is bound to its wrapping key. The data is not; otherwise a rotation would have to re-encrypt all of it.
const wrapAad = (aad: readonly string[], kekId: string) => encodeFields(['wrap', kekId, ...aad])
const dataAad = (aad: readonly string[]) => encodeFields(['data', ...aad])

function wrap(kek: Kek, dataKey: Uint8Array, aad: readonly string[]): Uint8Array {
  const id = Buffer.from(kek.id, 'hex')
  if (id.length !== kekIdBytes) throw new RangeError('The id of a key-encryption key is 16 hexadecimal digits.')
  return join(Uint8Array.of(version, aes256Gcm), id, encrypt(kek.key, dataKey, wrapAad(aad, kek.id)))
}

function unwrap(keks: FindKek, blob: Uint8Array, aad: readonly string[]): Buffer | null {
  const kekId = findKekId(blob)
  const kek = kekId === null ? undefined : keks(kekId)
  if (kekId === null || !kek) return null
  return decrypt(kek.key, blob.subarray(wrapStart, dataStart), wrapAad(aad, kekId))
}

function encrypt(key: Uint8Array, plaintext: Uint8Array, aad: Uint8Array): Uint8Array {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes }).setAAD(aad)
  return join(nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag())
}

/** Null if the bytes, the key or the associated data differ from those of the encryption. */
function decrypt(key: Uint8Array, sealed: Uint8Array, aad: Uint8Array): Buffer | null {
  if (sealed.length < nonceBytes + tagBytes || sealed.length > nonceBytes + maxPlaintextBytes + tagBytes) return null
  const nonce = sealed.subarray(0, nonceBytes)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
  decipher.setAAD(aad).setAuthTag(sealed.subarray(-tagBytes))
  const plaintext = decipher.update(sealed.subarray(nonceBytes, -tagBytes))
  try {
    decipher.final()
    return plaintext
  } catch {
    plaintext.fill(0)
    return null
  }
}

/** Concatenates into a new buffer, which the types of Prisma and WebCrypto require as a plain ArrayBuffer. */
function join(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let offset = 0
  for (const part of parts) {
    whole.set(part, offset)
    offset += part.length
  }
  return whole
}
