/** The address of a backup target, as its row stores it. */
import 'server-only'
import * as z from 'zod'
import type { BackupTarget } from '@/prisma/generated/portal/client'

/** The members always in the same order, because the credentials are bound to the text of an address. */
const forms = {
  /** endpoint: an origin. folder: in the bucket, without slashes at its ends; empty for the whole bucket. */
  s3: z.object({ endpoint: z.string(), region: z.string(), bucket: z.string(), folder: z.string() }),
  /**
   * folder: from the root, or from where the user signs in; empty for that. hostKey: type and key, the only one that is accepted. access: what servers speak
   * there; absent from targets that an earlier version added, which have no maintenance key.
   */
  sftp: z.object({
    host: z.string(),
    port: z.string(),
    user: z.string(),
    folder: z.string(),
    hostKey: z.string(),
    access: z.enum(['sftp', 'rclone']).optional(),
  }),
  /** folder: of each server that is copied, from the root. */
  folder: z.object({ folder: z.string() }),
} as const

export type TargetKind = keyof typeof forms

/** By rclone a server adds copies and deletes none. */
export type SftpAccess = 'sftp' | 'rclone'

type Address<Kind extends TargetKind> = { kind: Kind } & z.infer<(typeof forms)[Kind]>

export type BucketAddress = Address<'s3'>
export type SftpAddress = Address<'sftp'>
export type FolderAddress = Address<'folder'>
export type TargetAddress = BucketAddress | SftpAddress | FolderAddress

/** Without its kind, which has a column. */
export const writeAddress = (address: TargetAddress): string => JSON.stringify(forms[address.kind].parse(address))

/** Throws if the row was changed in the database. */
export const readAddress = ({ kind, address }: Pick<BackupTarget, 'kind' | 'address'>): TargetAddress =>
  ({ kind, ...forms[kind].parse(JSON.parse(address)) }) as TargetAddress

/** Whether old copies are deleted there: an SFTP server that an earlier version added has no key for that. */
export function isPruned(target: Pick<BackupTarget, 'kind' | 'address'>): boolean {
  const address = readAddress(target)
  return address.kind !== 'sftp' || address.access !== undefined
}

/** "https://s3.example.org/backups/team", "sftp://copies@storage.example.org/team" or "/mnt/backups". */
export function formatAddress(address: TargetAddress): string {
  if (address.kind === 'folder') return address.folder
  if (address.kind === 's3') return [address.endpoint, address.bucket, address.folder].filter((part) => part !== '').join('/')
  const { host, port, user, folder } = address
  const server = `${user}@${host.includes(':') ? `[${host}]` : host}${port === '22' ? '' : `:${port}`}`
  return `sftp://${server}${folder === '' || folder.startsWith('/') ? folder : `/~/${folder}`}`
}
