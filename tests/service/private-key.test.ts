/** The SSH keys with which Gatehouse logs in. */
import ssh2 from 'ssh2'
import { expect, test } from 'vitest'
import { createOwnKey } from '@/lib/service/ssh/private-key'

test('every generated key can be parsed and matches its line for authorized_keys', () => {
  for (let count = 0; count < 2_000; count += 1) {
    const { privateKey, publicKey } = createOwnKey()
    const parsed = ssh2.utils.parseKey(privateKey)
    if (parsed instanceof Error) throw parsed
    expect(publicKey.startsWith(`ssh-ed25519 ${parsed.getPublicSSH().toString('base64')} gatehouse:`)).toBe(true)
  }
})
