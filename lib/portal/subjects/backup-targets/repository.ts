/** The repository of a server at a backup target: made with its first copy, and opened for one use. docs/decisions/089-copies-elsewhere.md */
import 'server-only'
import { randomBytes } from 'node:crypto'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import { type BackupTargetKeys, openBackupTarget, openRepository, sealRepository } from '@/lib/portal/custody/backup-target'
import type { BackupRepository, BackupTarget, Server } from '@/prisma/generated/portal/client'
import { readAddress } from './address'

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

/** In the bucket. Two servers never share one. */
export const folderOf = (target: Pick<BackupTarget, 'address'>, { id }: Pick<BackupRepository, 'id'>): string =>
  [readAddress(target).folder, id].filter((part) => part !== '').join('/')

/** The fields of copies.make. Never the maintenance key. Null if the keys or the password cannot be decrypted. */
export const openCopyFields = (target: BackupTarget, repository: BackupRepository) => openFields(target, repository, 'server')

/** Those of copies.prune, which no server gets, without the snapshots. Null if the keys or the password cannot be decrypted. */
export const openPruneFields = (target: BackupTarget, repository: BackupRepository) => openFields(target, repository, 'maintenance')

async function openFields(
  target: BackupTarget,
  repository: BackupRepository,
  owner: keyof BackupTargetKeys,
): Promise<Record<string, string> | null> {
  const [keys, password] = await Promise.all([openBackupTarget(target), openRepository(repository)])
  if (!keys || password === null) return null
  const { endpoint, region, bucket } = readAddress(target)
  const { accessKeyId, secretAccessKey } = keys[owner]
  return { endpoint, region, bucket, folder: folderOf(target, repository), key_id: accessKeyId, key_secret: secretAccessKey, password }
}
