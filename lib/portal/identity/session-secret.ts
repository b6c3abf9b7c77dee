/** The secret that session cookies are encrypted under: a key file of its own, never the key-encryption key. */
import 'server-only'
import { readKeyFile } from '@/lib/sealing/key-file'
import { getSettings } from '@/lib/settings/settings'

let secret: string | undefined

/** Read at first use, since modules are also loaded while building, where there is no key. Throws KeyFileError. */
export function getSessionSecret(): string {
  secret ??= readKeyFile(getSettings().sessionSecretFile).toString('base64')
  return secret
}
