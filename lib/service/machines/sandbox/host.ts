/** Derives a simulated host's key and addresses from its name, so that the same name always gives the same ones. */
import { createHash, createPrivateKey, createPublicKey } from 'node:crypto'
import { isIP } from 'node:net'

const digestOf = (...parts: readonly string[]): Buffer =>
  createHash('sha256')
    .update(['gatehouse sandbox', ...parts].join('\0'))
    .digest()

// An ed25519 private key in PKCS #8 is this prefix and 32 bytes.
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex')
const algorithm = 'ssh-ed25519'

/** Thousands of hosts may use this domain; see seed.ts. */
export const seedDomain = 'crowd.sandbox.test'

/** The fingerprint of the host's ed25519 key, SHA256:… as ssh-keygen shows it. Each generation is a different key. */
export function hostKeyOf(host: string, port: number, generation: 1 | 2): string {
  const seed = digestOf('host key', host.toLowerCase(), String(port), String(generation))
  // Generating a key takes a millisecond, and only the fingerprint is used.
  if (host.endsWith(`.${seedDomain}`)) return fingerprintOf(seed)
  const privateKey = createPrivateKey({ key: Buffer.concat([pkcs8Prefix, seed]), format: 'der', type: 'pkcs8' })
  const publicKey = createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-32)
  const wire = Buffer.concat([lengthed(Buffer.from(algorithm)), lengthed(publicKey)])
  return fingerprintOf(wire)
}

const fingerprintOf = (bytes: Buffer): string => `SHA256:${createHash('sha256').update(bytes).digest('base64').replace(/=+$/, '')}`

function lengthed(bytes: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}

/** Addresses from the ranges reserved for documentation, unless the host is given as an address. */
export function addressesOf(host: string): { ipv4: string; ipv6: string } {
  const [last = 1, group = 0] = digestOf('address', host.toLowerCase())
  const ipv6 = isIP(host) === 6 ? host : `2001:db8::${(group * 256 + last).toString(16)}`
  if (isIP(host) === 6) return { ipv4: '', ipv6 }
  return { ipv4: isIP(host) === 4 ? host : `203.0.113.${(last % 254) + 1}`, ipv6 }
}
