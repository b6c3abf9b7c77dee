/** Checks the files of secrets that the portal reads while it runs: a missing one would otherwise show when the first mail is sent. */
import { readFileSync, statSync } from 'node:fs'
import type { Settings } from '@/lib/settings/settings'

/** Throws with one line for the operator if a file is missing, cannot be read or is empty. */
export function requireSecretFiles({ mail, singleSignOn }: Settings): void {
  for (const [setting, file] of [
    ['SMTP_PASSWORD_FILE', mail?.passwordFile],
    ['OIDC_CLIENT_SECRET_FILE', singleSignOn?.clientSecretFile],
  ] as const) {
    const what = file ? findFault(file) : null
    if (what !== null) throw new Error(`The file ${file} ${what}. Put the secret there, or set ${setting} to another file.`)
  }
}

function findFault(file: string): string | null {
  try {
    if (!statSync(file).isFile()) return 'is not a plain file'
    return readFileSync(file, 'utf8').trim() === '' ? 'is empty' : null
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'is missing' : `cannot be read (${(error as NodeJS.ErrnoException).code})`
  }
}
