/** Private keys: reading what a person pasted, and making the one that a server alone has for us. */
import { randomBytes } from 'node:crypto'
import ssh2 from 'ssh2'

export type OwnKey = {
  /** OpenSSH form, unencrypted. */
  privateKey: string
  /** The authorized_keys line; its comment, gatehouse:…, marks it as ours. */
  publicKey: string
}

export function createOwnKey(): OwnKey {
  const comment = `gatehouse:${randomBytes(6).toString('hex')}`
  const pair = ssh2.utils.generateKeyPairSync('ed25519', { comment })
  return { privateKey: pair.private, publicKey: pair.public.trim() }
}

/** The authorized_keys line that belongs to a private key. Throws when the key cannot be read. */
export function publicKeyOf(privateKey: string): string {
  const parsed = ssh2.utils.parseKey(privateKey)
  if (parsed instanceof Error) throw new Error('the private key cannot be read')
  return `${parsed.type} ${parsed.getPublicSSH().toString('base64')} ${parsed.comment}`
}

/** Why a private key cannot be used, or null when it can. */
export function findKeyFault(privateKey: string): 'encrypted' | 'unreadable' | 'public' | null {
  const parsed = ssh2.utils.parseKey(privateKey)
  if (parsed instanceof Error) return /passphrase|encrypted/i.test(parsed.message) ? 'encrypted' : 'unreadable'
  return parsed.isPrivateKey() ? null : 'public'
}
