/** A site, or a server itself, on the page of all backups. */
import 'server-only'

/**
 * The newest complete copy of a site at one target. at: ISO. isSafe: whether somebody confirmed having the recovery kit with its password. bytes: of its archive.
 * proven: when a copy of the site there was last proven, ISO; `bad` if one is known not to be good; empty if none was proven.
 */
export type CopyLine = { target: string; at: string; isSafe: boolean; bytes: number; proven: string }

/** Kept small, because there may be thousands. */
export type BackupLine = {
  of: 'site' | 'server'
  /** The portal's own opaque id of the site or server. */
  id: string
  /** As the service lists it, so a name of another script is usually in punycode. Of a server, its name. */
  domain: string
  /** Whether it was deleted: only its copies are left. */
  gone: boolean
  /** The portal's own id of its server; null if the reader does not see that server, or it is gone. */
  serverId: string | null
  server: string
  /** When its newest backup was made, ISO; `none` without one; empty if the service does not report it. Empty also for a deleted site. */
  backupAt: string
  /** When a newer attempt to back it up failed, ISO; empty if none did. */
  failedAt: string
  /** When a newer attempt to copy it failed, ISO; empty if none did. */
  copyFailedAt: string
  /** By label of the target, without targets that the reader does not see; null for a reader who may not know of copies. */
  copies: CopyLine[] | null
  /** When its next scheduled copy begins, ISO; empty if no schedule copies it, or the reader may not know of copies. */
  nextCopyAt: string
  /** Whether its service announces extensions, without which it makes no copies. */
  extensions: boolean
}
