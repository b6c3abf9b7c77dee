/** The credentials of a backup target: encrypted on input, decrypted for one use, never returned. */
import 'server-only'
import type { BackupRepository, BackupTarget } from '@/prisma/generated/portal/client'
import { type BackupTargetIdentity, bindBackupRepository, bindBackupTarget } from './binding'
import { openJson, type SealedJson, sealJson } from './sealed-json'

export type BucketKey = { accessKeyId: string; secretAccessKey: string }

/** server: what a server gets to add copies. maintenance: proves and deletes copies; no server ever gets it. */
export type BackupTargetKeys = { server: BucketKey; maintenance: BucketKey }

export const sealBackupTarget = (target: BackupTargetIdentity, keys: BackupTargetKeys): Promise<SealedJson> =>
  sealJson(keys, bindBackupTarget(target))

/** Null if they cannot be decrypted, as when the row was changed in the database. */
export const openBackupTarget = (target: BackupTargetIdentity & Pick<BackupTarget, 'sealed'>): Promise<BackupTargetKeys | null> =>
  openJson(target.sealed, bindBackupTarget(target))

type RepositoryIdentity = Pick<BackupRepository, 'id' | 'targetId' | 'serverId'>

/** password: of the repository of one server, which encrypts all that is in it. */
export const sealRepository = (repository: RepositoryIdentity, password: string): Promise<SealedJson> =>
  sealJson({ password }, bindBackupRepository(repository))

/** Null if it cannot be decrypted, as when the row was changed in the database. */
export async function openRepository(repository: RepositoryIdentity & Pick<BackupRepository, 'sealed'>): Promise<string | null> {
  const opened = await openJson<{ password: string }>(repository.sealed, bindBackupRepository(repository))
  return opened?.password ?? null
}
