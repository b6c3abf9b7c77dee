/** The associated data (AAD) of each encrypted column, which binds its values to their row. */
import 'server-only'
import type {
  BackupRepository,
  BackupTarget,
  Channel,
  Connection,
  HeldRequest,
  JobCredentials,
  PreparedArchive,
  SealedSecret,
  Totp,
  Undo,
} from '@/prisma/generated/portal/client'

const product = 'gatehouse'
const schemaVersion = '1'

/** The members of a connection that its encrypted API key is bound to: if one changes, the key can no longer be decrypted. */
export type ConnectionIdentity = Pick<Connection, 'id' | 'teamId' | 'ownerId' | 'origin' | 'basePath' | 'secretVersion' | 'kind' | 'label'>

/**
 * Bound to the address, so that an attacker who can write to the database cannot send a stolen row's key to a host of their own; and to
 * kind and label, so that they cannot trick a user into using a key under another name.
 */
export function bindConnection({ kind, label, ...connection }: ConnectionIdentity): readonly string[] {
  return [...fieldsOf('2', connection), kind, label]
}

/** The binding of connections from before kind and label were included; used only by rebinding.ts and by a rotation before it. */
export function bindFormerConnection(connection: Omit<ConnectionIdentity, 'kind' | 'label'>): readonly string[] {
  return fieldsOf('1', connection)
}

function fieldsOf(version: string, { id, teamId, ownerId, origin, basePath, secretVersion }: Omit<ConnectionIdentity, 'kind' | 'label'>) {
  return [product, version, 'Connection', 'sealedKey', id, ownerId ?? '', teamId, origin, basePath, String(secretVersion)]
}

export function bindSecret({ id, purpose, secretVersion }: Pick<SealedSecret, 'id' | 'purpose' | 'secretVersion'>): readonly string[] {
  return [product, schemaVersion, 'SealedSecret', 'sealed', id, purpose, String(secretVersion)]
}

/** Undos of servers keep the binding from when no other kind existed, so that rows of older versions can be decrypted. */
export function bindUndo(row: Pick<Undo, 'id' | 'teamId' | 'subjectKind' | 'subjectId' | 'kind'>): readonly string[] {
  const { id, teamId, subjectKind, subjectId, kind } = row
  const subject = subjectKind === 'server' ? [subjectId] : [subjectKind, subjectId]
  return [product, schemaVersion, 'Undo', 'sealed', id, teamId, ...subject, kind]
}

/** The columns of a held request that nothing may change while it is held. */
export type HeldIdentity = Pick<
  HeldRequest,
  | 'id'
  | 'teamId'
  | 'kind'
  | 'action'
  | 'serverId'
  | 'siteId'
  | 'connectionId'
  | 'targetName'
  | 'askedById'
  | 'sessionId'
  | 'digest'
  | 'askedAt'
  | 'sendAt'
  | 'decidedById'
>

/** Bound to who asked, when and for what, and once it is to be sent later, to when and who approved it. */
export function bindHeld(row: HeldIdentity): readonly string[] {
  const { id, teamId, kind, action, serverId, siteId, connectionId, targetName, askedById, sessionId, digest } = row
  const columns = [id, teamId, kind, action, serverId ?? '', siteId ?? '', connectionId ?? '', targetName, askedById, sessionId, digest]
  const decision = [row.sendAt?.toISOString() ?? '', row.decidedById ?? '']
  return [product, schemaVersion, 'HeldRequest', 'sealed', ...columns, row.askedAt.toISOString(), ...decision]
}

export function bindTotp({ userId, secretVersion }: Pick<Totp, 'userId' | 'secretVersion'>): readonly string[] {
  return [product, schemaVersion, 'Totp', 'sealed', userId, String(secretVersion)]
}

/** The members of a channel that its sealed address is bound to: whose it is decides what is sent there, and whose right filters that. */
export type ChannelIdentity = Pick<Channel, 'id' | 'teamId' | 'userId' | 'seesAsId' | 'kind' | 'place' | 'secretVersion'>

export function bindChannel({ id, teamId, userId, seesAsId, kind, place, secretVersion }: ChannelIdentity): readonly string[] {
  return [product, schemaVersion, 'Channel', 'sealed', id, teamId, userId ?? '', seesAsId, kind, place, String(secretVersion)]
}

/** The members of a backup target that its credentials are bound to: whose it is decides who uses them, and the address where they are sent. */
export type BackupTargetIdentity = Pick<BackupTarget, 'id' | 'teamId' | 'ownerId' | 'kind' | 'address' | 'secretVersion'>

export function bindBackupTarget({ id, teamId, ownerId, kind, address, secretVersion }: BackupTargetIdentity): readonly string[] {
  return [product, schemaVersion, 'BackupTarget', 'sealed', id, teamId, ownerId ?? '', kind, address, String(secretVersion)]
}

/** Bound to the target, whose own binding has the address. */
export function bindBackupRepository({
  id,
  targetId,
  serverId,
}: Pick<BackupRepository, 'id' | 'targetId' | 'serverId'>): readonly string[] {
  return [product, schemaVersion, 'BackupRepository', 'sealed', id, targetId, serverId]
}

/** Bound to whose they are, so that nobody who can write to the database shows them to somebody else. */
export function bindJobCredentials({ id, userId }: Pick<JobCredentials, 'id' | 'userId'>): readonly string[] {
  return [product, schemaVersion, 'JobCredentials', 'sealed', id, userId]
}

export type ArchiveIdentity = Pick<PreparedArchive, 'id' | 'teamId' | 'userId' | 'siteId' | 'connectionId'>

/** Bound to what decides who may fetch it, and through which connection. */
export function bindArchive({ id, teamId, userId, siteId, connectionId }: ArchiveIdentity): readonly string[] {
  return [product, schemaVersion, 'PreparedArchive', 'sealed', id, teamId, userId, siteId, connectionId]
}

/** Contains the table's name in the database, so that existing values stay valid if the model is renamed. */
export function bindCanary(kekId: string): readonly string[] {
  return [product, schemaVersion, 'KeyRing', 'canary', kekId]
}
