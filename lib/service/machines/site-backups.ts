/** Backups of a site, as backups.bash prints them: name, bytes, seconds since 1970, reason, mark and aliases, separated by tabs. */
import type { BackupReason, LastBackup, SiteBackup } from './sites'

const form = /^[a-z0-9.-]{1,253}-\d{8}-\d{6}-(manual|nightly|restore|push|delete)\.tar\.(?:zst|gz)$/

/** Whether a server could have given a backup that name: never a path, nothing hidden, nothing that begins with a hyphen. */
export const isSiteBackupName = (name: string): boolean => form.test(name) && /^[a-z0-9]/.test(name)

/** Lines that cannot be read are skipped. */
export function parseSiteBackups(printed: string): SiteBackup[] {
  return printed.split('\n').flatMap((line) => {
    const [name = '', bytes = '', madeAt = '', , mark = '', aliases = ''] = line.split('\t')
    if (!isSiteBackupName(name) || !/^\d{1,15}$/.test(bytes) || !/^\d{1,12}$/.test(madeAt)) return []
    const reason = form.exec(name)?.[1] as BackupReason
    const made = { name, bytes: Number(bytes), madeAt: Number(madeAt), proven: mark === 'proven', reason }
    return [{ ...made, aliases: aliases.split(' ').filter(Boolean) }]
  })
}

/** Whether a server could have given the last backup of a deleted site that name. */
export const isLastBackupName = (name: string): boolean => isSiteBackupName(name) && form.exec(name)?.[1] === 'delete'

/** The domain in the name of a last backup. */
const domainOfBackup = (name: string): string => name.replace(/-\d{8}-\d{6}-delete\.tar\.(?:zst|gz)$/, '')

/** As last-backups.bash prints them: the same, and then format, id and owner of the site. The newest first. */
export function parseLastBackups(printed: string): LastBackup[] {
  const found = printed.split('\n').flatMap((line) => {
    const [backup] = parseSiteBackups(line)
    if (!backup || !isLastBackupName(backup.name)) return []
    const [format = '', siteId = '', owner = ''] = line.split('\t').slice(6)
    return [{ ...backup, domain: domainOfBackup(backup.name), format: /^\d{1,4}$/.test(format) ? Number(format) : null, siteId, owner }]
  })
  return found.sort((one, other) => other.madeAt - one.madeAt || (one.name < other.name ? 1 : -1))
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Like `Nov 21 10:17`, in UTC. */
export function formatBackupDate(madeAt: number): string {
  const at = new Date(madeAt * 1000)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${months[at.getUTCMonth()]} ${two(at.getUTCDate())} ${two(at.getUTCHours())}:${two(at.getUTCMinutes())}`
}
