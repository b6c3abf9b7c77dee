/** Public SSH keys as files have them, one in a line: the type, the key in base64, and a comment. */
import { createHash } from 'node:crypto'

/** bits: of RSA and ECDSA; null for types of one size. line: what a file of keys needs of it, without options. */
export type PublicKey = { type: string; bits: number | null; fingerprint: string; comment: string; line: string }

/** Bits by curve of ECDSA, and the bytes of a point. */
const curves: Readonly<Record<string, { bits: number; bytes: number }>> = {
  nistp256: { bits: 256, bytes: 65 },
  nistp384: { bits: 384, bytes: 97 },
  nistp521: { bits: 521, bytes: 133 },
}

/** The parts of a key, each with its length before it; null if that is not all. */
function readParts(blob: Buffer): Buffer[] | null {
  const parts: Buffer[] = []
  let at = 0
  while (at < blob.length) {
    if (at + 4 > blob.length) return null
    const end = at + 4 + blob.readUInt32BE(at)
    if (end > blob.length) return null
    parts.push(blob.subarray(at + 4, end))
    at = end
  }
  return parts
}

/** A positive number has a zero byte before it if its first bit is set. */
function countBits(number: Buffer | undefined): number {
  const first = number?.findIndex((byte) => byte !== 0) ?? -1
  if (!number || first < 0) return 0
  return (number.length - first) * 8 - Math.clz32(number[first] ?? 0) + 24
}

/** The size of a key of a type that sites take; undefined for any other, or one whose parts do not fit. */
function sizeOf(type: string, parts: readonly Buffer[]): number | null | undefined {
  const isSecurityKey = type.startsWith('sk-')
  const count = parts.length - (isSecurityKey ? 1 : 0)
  if (type === 'ssh-ed25519' || type === 'sk-ssh-ed25519@openssh.com') return count === 2 && parts[1]?.length === 32 ? null : undefined
  if (type === 'ssh-rsa') return parts.length === 3 ? countBits(parts[2]) : undefined
  const [, name = ''] = /^(?:sk-)?ecdsa-sha2-(nistp\d+)(?:@openssh\.com)?$/.exec(type) ?? []
  const curve = curves[name]
  return curve && count === 3 && parts[1]?.toString('latin1') === name && parts[2]?.length === curve.bytes ? curve.bits : undefined
}

/** The key that base64 means; null for no key of these types. */
function readBlob(base64: string): Omit<PublicKey, 'comment' | 'line'> | null {
  const blob = Buffer.from(base64, 'base64')
  if (blob.toString('base64') !== base64) return null
  const parts = readParts(blob)
  const type = parts?.[0]?.toString('latin1') ?? ''
  const bits = parts ? sizeOf(type, parts) : undefined
  if (bits === undefined) return null
  return { type, bits, fingerprint: `SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')}` }
}

const keyInLine = /(?:^|[ \t])((?:sk-)?(?:ssh|ecdsa)-[a-z0-9@.-]{1,60})[ \t]+(AAAA[A-Za-z0-9+/]+={0,2})(?:[ \t]+(.*))?$/

/** A line of a file of keys. hasOptions: something before the key limits what it may be used for. Null for a line without a key of these types. */
export function readKeyLine(text: string): { key: PublicKey; hasOptions: boolean } | null {
  const found = keyInLine.exec(text.trim())
  const [, type = '', base64 = '', comment = ''] = found ?? []
  const read = readBlob(base64)
  if (!found || read?.type !== type) return null
  const line = [type, base64, comment].filter(Boolean).join(' ')
  return { key: { ...read, comment, line }, hasOptions: found.index > 0 }
}

/** Enough for an RSA key of 16,384 bits with a comment. */
const maxLineBytes = 4096
const minRsaBits = 2048

/** A key that somebody gives: itself, or why it is refused, as a sentence. */
export function readPublicKey(given: string): { key: PublicKey } | { refusal: string } {
  const text = given.trim()
  if (text === '') return { refusal: 'Enter a public key.' }
  if (/[\r\n]/.test(text)) return { refusal: 'Enter one public key, in one line.' }
  if (/\p{Cc}/u.test(text.replaceAll('\t', ' '))) return { refusal: 'This contains unprintable characters.' }
  if (Buffer.byteLength(text) > maxLineBytes) return { refusal: `Enter at most ${maxLineBytes} bytes: shorten the comment.` }
  const read = readKeyLine(text)
  if (!read) return { refusal: 'This is no public key of the type ED25519, ECDSA or RSA. Enter the line of a file that ends in .pub.' }
  if (read.hasOptions) return { refusal: 'Enter the key without options before it: its type, the key and a comment.' }
  const { type, bits } = read.key
  if (type === 'ssh-rsa' && (bits ?? 0) < minRsaBits)
    return { refusal: `This RSA key has ${bits} bits, and servers accept none below ${minRsaBits}. Create an ED25519 key.` }
  return { key: read.key }
}
