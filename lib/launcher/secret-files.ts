/** Checks the files of secrets that are read while Gatehouse runs: a missing one would otherwise show when the first mail is sent. */
import { lstatSync, readFileSync, statSync } from 'node:fs'
import type { Settings } from '@/lib/settings/settings'

/** Throws with one line for the operator if a file is missing, cannot be used or is empty. */
export function requireSecretFiles({ mail, backup, singleSignOn, portalPostgresql, servicePostgresql }: Settings): void {
  for (const [setting, file, findFault] of [
    ['DATABASE_PASSWORD_FILE', portalPostgresql?.passwordFile, findReadFault],
    ['SERVICE_DATABASE_PASSWORD_FILE', servicePostgresql?.passwordFile, findReadFault],
    ['BACKUP_BUCKET_SECRET_FILE', backup && 'bucket' in backup.target ? backup.target.bucket.secretFile : undefined, findReadFault],
    ['SMTP_PASSWORD_FILE', mail?.passwordFile, findReadFault],
    ['OIDC_CLIENT_SECRET_FILE', singleSignOn?.clientSecretFile, (file: string) => findReadFault(file) ?? findAccessFault(file)],
  ] as const) {
    const what = file ? findFault(file) : null
    if (what !== null) throw new Error(`The file ${file} ${what}. Put the secret there, or set ${setting} to another file.`)
  }
}

function findReadFault(file: string): string | null {
  try {
    if (!statSync(file).isFile()) return 'is not a plain file'
    return readFileSync(file, 'utf8').trim() === '' ? 'is empty' : null
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'ENOENT' ? 'is missing' : `cannot be read (${code})`
  }
}

/** The portal refuses such a client secret at each sign-in. */
function findAccessFault(file: string): string | null {
  const stat = lstatSync(file)
  if (!stat.isFile()) return 'is a symbolic link'
  return (stat.mode & 0o077) === 0 ? null : 'is accessible to other users: run chmod 0400 on it'
}
