/** The credentials of a backup target: encrypted on input, decrypted for one use, never returned. */
import 'server-only'
import type { BackupRepository, BackupTarget } from '@/prisma/generated/portal/client'
import { type BackupTargetIdentity, bindBackupRepository, bindBackupTarget } from './binding'
import { openJson, type SealedJson, sealJson } from './sealed-json'

export type BucketKey = { accessKeyId: string; secretAccessKey: string }

/** privateKey: of OpenSSH, without a passphrase, in base64 as one line. */
export type SftpKey = { privateKey: string }

/** server: what a server gets to add and read copies. maintenance: deletes copies; no server ever gets it. */
type BucketKeys = { server: BucketKey; maintenance: BucketKey }

/** Targets that were added before Gatehouse deleted copies by SFTP have no maintenance key. */
type SftpKeys = { server: SftpKey; maintenance?: SftpKey }

/** As they are stored. A folder has none. */
type StoredKeys = BucketKeys | SftpKeys | Record<never, never>

/** By the kind of the target. */
export type BackupTargetKeys = ({ kind: 's3' } & BucketKeys) | ({ kind: 'sftp' } & SftpKeys) | { kind: 'folder' }

export const sealBackupTarget = (target: BackupTargetIdentity, keys: StoredKeys): Promise<SealedJson> =>
  sealJson({ ...keys, kind: undefined }, bindBackupTarget(target))

/** Null if they cannot be decrypted, as when the row was changed in the database. */
export async function openBackupTarget(target: BackupTargetIdentity & Pick<BackupTarget, 'sealed'>): Promise<BackupTargetKeys | null> {
  const stored = await openJson<StoredKeys>(target.sealed, bindBackupTarget(target))
  // Kind and keys are bound to each other.
  return stored && ({ ...stored, kind: target.kind } as BackupTargetKeys)
}

type RepositoryIdentity = Pick<BackupRepository, 'id' | 'targetId' | 'serverId'>

/** password: of the repository of one server, which encrypts all that is in it. */
export const sealRepository = (repository: RepositoryIdentity, password: string): Promise<SealedJson> =>
  sealJson({ password }, bindBackupRepository(repository))

/** Null if it cannot be decrypted, as when the row was changed in the database. */
export async function openRepository(repository: RepositoryIdentity & Pick<BackupRepository, 'sealed'>): Promise<string | null> {
  const opened = await openJson<{ password: string }>(repository.sealed, bindBackupRepository(repository))
  return opened?.password ?? null
}
