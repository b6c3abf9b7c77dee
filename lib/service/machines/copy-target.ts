/** Where copies of backups are stored, and what opens that: as the host program reads it. host/gatehouse_host/targets.py */

/** endpoint: an origin. keyId, keySecret: of a key that may add, and need not delete. */
type Bucket = { kind: 's3'; endpoint: string; region: string; bucket: string; keyId: string; keySecret: string }

/**
 * access: what a server speaks there; with the maintenance key it is always SFTP. hostKey: type and key, the only one that is accepted; empty to ask for it.
 * privateKey: of OpenSSH, in base64, as one line.
 */
type Sftp = {
  kind: 'sftp'
  host: string
  port: string
  user: string
  access: 'sftp' | 'rclone'
  hostKey: string
  privateKey: string
}

/** Storage that is mounted on the server. */
type Folder = { kind: 'folder' }

/**
 * folder: in the bucket, from where the user signs in, or from the root. password: of the repository there; a test has none. limitKb: KB/s in digits; empty
 * for no limit.
 */
export type CopyTarget = (Bucket | Sftp | Folder) & { folder: string; password: string; limitKb: string }

export type BucketTarget = Extract<CopyTarget, { kind: 's3' }>
export type SftpTarget = Extract<CopyTarget, { kind: 'sftp' }>
export type FolderTarget = Extract<CopyTarget, { kind: 'folder' }>

/** From these the service deletes copies, on its own machine. */
export type RemoteTarget = BucketTarget | SftpTarget

/** Why copies cannot be stored at a target. */
export const targetFaults = [
  'key',
  'denied',
  'bucket',
  'region',
  'clock',
  'full',
  'busy',
  'certificate',
  'unreachable',
  'missing',
  'host-key',
  'no-sftp',
  'no-rclone',
  'altered',
  'unmounted',
  'system-folder',
  'silent',
  'unknown',
] as const

export type TargetFault = (typeof targetFaults)[number]

/** What the service found with the maintenance key, from its own machine. */
export type MaintenanceCheck = 'passed' | TargetFault | 'address'

/** deletes, overwrites: whether whoever has the key of servers could. ahead: seconds by which the clock of the target is ahead; null if that is not known. */
export type TargetCheck =
  | { kind: 'passed'; deletes: boolean; overwrites: boolean; ahead: number | null }
  | { kind: 'host-key'; hostKey: string }
  | { kind: 'failed'; why: TargetFault }
