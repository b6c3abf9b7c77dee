/** A key as text: base64 of exactly 32 random bytes. Refuses keys that are obviously not random. */
import { createHash } from 'node:crypto'

/** A key must not be used; the message is one line for the operator and reveals nothing about the key. */
export class KeyFileError extends Error {
  override name = 'KeyFileError'
}

const keyBytes = 32

// Passphrases from real installations, hashed to 32 bytes.
const knownWords = [
  '',
  'secret',
  'changeme',
  'change-me',
  'change_me',
  'password',
  'default',
  'gatehouse',
  'admin',
  'test',
  'key',
  'example',
]
const knownDefaults = new Set(knownWords.map((word) => createHash('sha256').update(word).digest('hex')))

/** Parses a key. `where` begins the message of a refusal: "The key file /x". Throws KeyFileError. */
export function parseKey(text: string, where: string): Buffer {
  const base64 = text.trim()
  const key = Buffer.from(base64, 'base64')
  const reason = key.toString('base64') === base64 && key.length > 0 ? findWeakness(key) : 'does not hold base64 text'
  if (reason === null) return key
  key.fill(0)
  throw new KeyFileError(`${where} ${reason}.`)
}

/** Why a key is too weak, or null. Refuses one in 10^13 random keys by mistake. */
function findWeakness(key: Buffer): string | null {
  if (key.length !== keyBytes) return `holds ${key.length} bytes, not ${keyBytes}`
  if (key.every((byte) => byte === 0)) return 'contains only zeros'
  if (new Set(key).size < keyBytes / 2) return 'repeats itself: it is not random'
  if (key.every((byte) => byte >= 0x20 && byte < 0x7f)) return 'contains text: it is not random'
  const steps = new Set(key.subarray(1).map((byte, index) => byte - (key[index] ?? 0)))
  if (steps.size === 1) return 'counts up or down: it is not random'
  if (knownDefaults.has(key.toString('hex'))) return 'is a well-known default'
  return null
}
