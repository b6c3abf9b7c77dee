/** Backup files of a machine, as our script lists them: name, size, time and mark, each ended by NUL. */

export type BackupFile = {
  name: string
  bytes: number
  /** Seconds since 1970. */
  writtenAt: number
  proven: boolean
}

/** As the interface tells it. */
export type Backup = { name: string; size: string; created_at: string; proven: boolean }

/** A file of that folder by its name alone: never a path, nothing hidden, nothing that cannot be shown. */
export const isBackupName = (name: string): boolean => /^[^./][^/]{0,254}$/u.test(name) && !/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\ufffd]/u.test(name)

/** The newest first. What has no name that can be told is passed by. */
export function parseBackups(printed: string): BackupFile[] {
  const parts = printed.split('\0')
  const files: BackupFile[] = []
  for (let at = 0; at + 4 < parts.length; at += 4) {
    const [name = '', bytes = '', writtenAt = '', mark] = parts.slice(at, at + 4)
    if (isBackupName(name) && /^\d{1,15}$/.test(bytes) && /^\d{1,12}$/.test(writtenAt))
      files.push({ name, bytes: Number(bytes), writtenAt: Number(writtenAt), proven: mark === 'proven' })
  }
  return files.sort((one, other) => other.writtenAt - one.writtenAt || (one.name < other.name ? 1 : -1))
}

export const renderBackups = (files: readonly BackupFile[]): string =>
  files
    .map(({ name, bytes, writtenAt, proven }) => [name, bytes, writtenAt, proven ? 'proven' : ''].map((part) => `${part}\0`).join(''))
    .join('')

export const backupOf = ({ name, bytes, writtenAt, proven }: BackupFile): Backup => ({
  name,
  size: String(bytes),
  created_at: new Date(writtenAt * 1000).toISOString(),
  proven,
})
