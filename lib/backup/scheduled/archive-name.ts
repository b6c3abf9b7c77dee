/** The names of scheduled archives, and which of them are past their retention. Pure. */

export type Half = 'portal' | 'service'

export type EncryptionProgram = 'age' | 'gpg'

/** Such as gatehouse-portal-2026-11-27T03-00-05Z.tar.gz.age. The part with the time sorts by time. */
export const formatArchiveName = (half: Half, at: Date, program: EncryptionProgram): string =>
  `gatehouse-${half}-${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z.tar.gz.${program}`

const shape = /^gatehouse-(portal|service)-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.tar\.gz\.(age|gpg)$/

export type ArchiveName = { name: string; half: Half; at: Date; program: EncryptionProgram }

/** Null if it is no archive of Gatehouse. */
export function parseArchiveName(name: string): ArchiveName | null {
  const [, half, day, hour, minute, second, program] = shape.exec(name) ?? []
  const at = new Date(`${day}T${hour}:${minute}:${second}Z`)
  if ((half !== 'portal' && half !== 'service') || (program !== 'age' && program !== 'gpg') || Number.isNaN(at.getTime())) return null
  return { name, half, at, program }
}

/** The archives of a half among the names of a folder, the newest first. */
export const listArchives = (names: readonly string[], half: Half): ArchiveName[] =>
  names
    .flatMap((name) => parseArchiveName(name) ?? [])
    .filter((archive) => archive.half === half)
    .sort((one, other) => other.at.getTime() - one.at.getTime())

/** What an interrupted run leaves in the folder: hidden, so that nobody takes it for an archive. */
export const unfinishedName = (name: string): string => `.${name}.unfinished`

export const isUnfinished = (name: string, half: Half): boolean => name.startsWith(`.gatehouse-${half}-`) && name.endsWith('.unfinished')

const dayMs = 24 * 3_600_000

/**
 * The names that may be deleted: neither among the newest `count`, nor younger than `days`, nor the one that was just made. The count keeps archives when the
 * clock jumps ahead.
 */
export function findExpired(
  names: readonly string[],
  { half, made, keep, now }: { half: Half; made: string; keep: { count: number; days: number }; now: Date },
): string[] {
  return listArchives(names, half)
    .slice(keep.count)
    .filter(({ name, at }) => name !== made && at.getTime() < now.getTime() - keep.days * dayMs)
    .map(({ name }) => name)
}
