/** The secret that encrypts session cookies, in its own key file, never the key-encryption key. */
import 'server-only'
import { readKeyFile } from '@/lib/sealing/key-file'
import { getSettings } from '@/lib/settings/settings'

let secret: string | undefined

/** Read at first use, because the build also loads this module, when there is no key. Throws KeyFileError. */
export function getSessionSecret(): string {
  secret ??= readKeyFile(getSettings().sessionSecretFile).toString('base64')
  return secret
}
