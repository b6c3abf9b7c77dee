/** What each encrypted column is bound to: the associated data of its envelope. */
import 'server-only'
import type { Connection, SealedSecret, Undo } from '@/prisma/generated/portal/client'

const product = 'gatehouse'
const schemaVersion = '1'

/** The members of a connection that its encrypted key is bound to: if one of them changes, the key cannot be decrypted. */
export type ConnectionIdentity = Pick<Connection, 'id' | 'teamId' | 'ownerId' | 'origin' | 'basePath' | 'secretVersion' | 'kind' | 'label'>

/**
 * Bound to the address, so that an attacker who can write to the database cannot point a stolen row at a host of their own, and to
 * kind and label, so that no user can be tricked into using a key under another name.
 */
export function bindConnection({ kind, label, ...connection }: ConnectionIdentity): readonly string[] {
  return [...fieldsOf('2', connection), kind, label]
}

/** How connections were bound before kind and label were added; used only by rebinding.ts and by rotation before it. */
export function bindFormerConnection(connection: Omit<ConnectionIdentity, 'kind' | 'label'>): readonly string[] {
  return fieldsOf('1', connection)
}

function fieldsOf(version: string, { id, teamId, ownerId, origin, basePath, secretVersion }: Omit<ConnectionIdentity, 'kind' | 'label'>) {
  return [product, version, 'Connection', 'sealedKey', id, ownerId ?? '', teamId, origin, basePath, String(secretVersion)]
}

export function bindSecret({ id, purpose, secretVersion }: Pick<SealedSecret, 'id' | 'purpose' | 'secretVersion'>): readonly string[] {
  return [product, schemaVersion, 'SealedSecret', 'sealed', id, purpose, String(secretVersion)]
}

/** An undo of a server is bound as it was before undos existed for anything else, so that rows of older versions can be decrypted. */
export function bindUndo(row: Pick<Undo, 'id' | 'teamId' | 'subjectKind' | 'subjectId' | 'kind'>): readonly string[] {
  const { id, teamId, subjectKind, subjectId, kind } = row
  const subject = subjectKind === 'server' ? [subjectId] : [subjectKind, subjectId]
  return [product, schemaVersion, 'Undo', 'sealed', id, teamId, ...subject, kind]
}

/** Uses the table's name in the database, so that existing values stay valid whatever the model is called. */
export function bindCanary(kekId: string): readonly string[] {
  return [product, schemaVersion, 'KeyRing', 'canary', kekId]
}
