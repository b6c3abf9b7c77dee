/** The secret that encrypts session cookies, in its own key file, never the key-encryption key. */
import 'server-only'
import { processState } from '@/lib/portal/base/process-state'
import { readKeyFile } from '@/lib/sealing/key-file'
import { getSettings } from '@/lib/settings/settings'

/** Read at first use, because the build also loads this module, when there is no key. Throws KeyFileError. */
export const getSessionSecret = processState('session secret', () => readKeyFile(getSettings().sessionSecretFile).toString('base64'))
