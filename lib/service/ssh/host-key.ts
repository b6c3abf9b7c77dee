/** Host keys: their fingerprints, and the order in which their types are requested. */
import { createHash } from 'node:crypto'
import type { ServerHostKeyAlgorithm } from 'ssh2'

/** ed25519 first, then the types for servers without such a key. */
export const hostKeyKinds: readonly (readonly ServerHostKeyAlgorithm[])[] = [
  ['ssh-ed25519'],
  ['ecdsa-sha2-nistp256', 'ecdsa-sha2-nistp384', 'ecdsa-sha2-nistp521'],
  ['rsa-sha2-512', 'rsa-sha2-256'],
]

/** SHA256:… as OpenSSH writes it: base64 without padding, of the key's wire form. */
export function fingerprintOf(key: Uint8Array): string {
  return `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`
}
