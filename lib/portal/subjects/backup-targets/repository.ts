/** The repository of a server at a backup target: made with its first copy, and opened for one use. docs/decisions/089-copies-elsewhere.md */
import 'server-only'
import { randomBytes } from 'node:crypto'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import { type BackupTargetKeys, openBackupTarget, openRepository, sealRepository } from '@/lib/portal/custody/backup-target'
import type { BackupRepository, BackupTarget, Server } from '@/prisma/generated/portal/client'
import { readAddress, type TargetAddress } from './address'
import type { KeyOwner } from './check-words'

/** Finds the repository, or makes one with a new password. Concurrent calls make only one. */
export async function ensureRepository(target: Pick<BackupTarget, 'id'>, server: Pick<Server, 'id' | 'name'>): Promise<BackupRepository> {
  const where = { targetId_serverId: { targetId: target.id, serverId: server.id } }
  const identity = { id: createOpaqueId(), targetId: target.id, serverId: server.id }
  const sealed = await sealRepository(identity, randomBytes(32).toString('base64url'))
  return db().backupRepository.upsert({
    where,
    create: { ...identity, ...sealed, serverName: server.name },
    update: { serverName: server.name },
  })
}

/** Of the repository, as the folder of its target. Two servers never share one. */
export const folderOf = (target: Pick<BackupTarget, 'kind' | 'address'>, { id }: Pick<BackupRepository, 'id'>): string =>
  [readAddress(target).folder, id].filter((part) => part !== '').join('/')

/** The fields of copies.make. Never the maintenance key. Null if the keys or the password cannot be decrypted. */
export const openCopyFields = (target: BackupTarget, repository: BackupRepository) => openFields(target, repository, 'server')

/** Those of copies.prune, with the maintenance key, which no server gets; a folder has none. Without the snapshots. Null if the keys or the password cannot be decrypted. */
export const openPruneFields = (target: BackupTarget, repository: BackupRepository) => openFields(target, repository, 'maintenance')

async function openFields(target: BackupTarget, repository: BackupRepository, owner: KeyOwner): Promise<Record<string, string> | null> {
  const [keys, password] = await Promise.all([openBackupTarget(target), openRepository(repository)])
  if (!keys || password === null) return null
  return { ...fieldsOf(readAddress(target), keys, owner), folder: folderOf(target, repository), password }
}

/** What an operation on a target sends, with the keys that servers get, or with the maintenance key. Throws for an SFTP server without one: isPruned. */
export function fieldsOf(address: TargetAddress, keys: BackupTargetKeys, owner: KeyOwner = 'server'): Record<string, string> {
  const { folder } = address
  if (address.kind === 's3' && keys.kind === 's3') {
    const { endpoint, region, bucket } = address
    const { accessKeyId, secretAccessKey } = keys[owner]
    // Earlier versions of the service know no kinds.
    return { endpoint, region, bucket, folder, key_id: accessKeyId, key_secret: secretAccessKey }
  }
  if (address.kind === 'sftp' && keys.kind === 'sftp') {
    const { kind, host, port, user, hostKey, access = 'sftp' } = address
    const key = keys[owner]
    if (!key) throw new Error('The target has no maintenance key.')
    const opened = { ...(hostKey && { host_key: hostKey }), ...(key.privateKey && { private_key: key.privateKey }) }
    // Earlier versions of the service know only SFTP, which the maintenance key always has.
    const spoken = access === 'rclone' && owner === 'server' ? { access } : {}
    return { kind, host, port, user, folder, ...opened, ...spoken }
  }
  return { kind: 'folder', folder }
}
