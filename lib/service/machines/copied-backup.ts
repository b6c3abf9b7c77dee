/** The answer of the job that copies a backup. */

/** snapshot: of restic, which shortens it in Debian 12. backup: its name. bytes, sha256: of its archive, not compressed. added: by how many the repository grew. */
type CopiedBackup = { snapshot: string; backup: string; bytes: number; added: number; sha256: string }

export const writeCopied = ({ snapshot, backup, bytes, added, sha256 }: CopiedBackup): string =>
  `${snapshot} ${backup} ${bytes} ${added} ${sha256}`

/** Null for anything else: the answer comes from a server. */
export function readCopied(text: string): CopiedBackup | null {
  const form = /^([0-9a-f]{8,64}) ([a-z0-9][a-z0-9.-]{0,320}) (\d{1,15}) (\d{1,15}) ([0-9a-f]{64})$/
  const [, snapshot, backup, bytes, added, sha256] = form.exec(text.trim()) ?? []
  if (snapshot === undefined || backup === undefined || sha256 === undefined) return null
  return { snapshot, backup, bytes: Number(bytes), added: Number(added), sha256 }
}
