/** Private keys: parses one that a user pasted, and generates one for each server. */
import { randomBytes } from 'node:crypto'
import ssh2 from 'ssh2'

export type OwnKey = {
  /** OpenSSH form, unencrypted. */
  privateKey: string
  /** The authorized_keys line; its comment, gatehouse:…, marks it as Gatehouse's. */
  publicKey: string
}

export function createOwnKey(): OwnKey {
  const comment = `gatehouse:${randomBytes(6).toString('hex')}`
  for (;;) {
    const pair = ssh2.utils.generateKeyPairSync('ed25519', { comment })
    // ssh2 1.17.0 itself cannot parse about one in two hundred of the keys it generates, so those are generated again.
    if (findKeyFault(pair.private) === null) return { privateKey: pair.private, publicKey: pair.public.trim() }
  }
}

/** The authorized_keys line of a private key. Throws when the key cannot be parsed. */
export function publicKeyOf(privateKey: string): string {
  const parsed = ssh2.utils.parseKey(privateKey)
  if (parsed instanceof Error) throw new Error('the private key cannot be read')
  return `${parsed.type} ${parsed.getPublicSSH().toString('base64')} ${parsed.comment}`
}

/** Why a private key cannot be used; null if it can. */
export function findKeyFault(privateKey: string): 'encrypted' | 'unreadable' | 'public' | null {
  const parsed = ssh2.utils.parseKey(privateKey)
  if (parsed instanceof Error) return /passphrase|encrypted/i.test(parsed.message) ? 'encrypted' : 'unreadable'
  return parsed.isPrivateKey() ? null : 'public'
}
