/** What each sealed column is bound to: the associated data of its envelope. */
import 'server-only'
import type { Connection, SealedSecret, Undo } from '@/prisma/generated/portal/client'

const product = 'gatehouse'
const schemaVersion = '1'

/** The members of a connection that its sealed key is bound to: with one of them changed, the key does not open. */
export type ConnectionIdentity = Pick<Connection, 'id' | 'teamId' | 'ownerId' | 'origin' | 'basePath' | 'secretVersion' | 'kind' | 'label'>

/**
 * Bound to its address, so that whoever can write to the database cannot point a stolen row at a host of his own, and to
 * kind and label, so that nobody is made to use a key under another name.
 */
export function bindConnection({ kind, label, ...connection }: ConnectionIdentity): readonly string[] {
  return [...fieldsOf('2', connection), kind, label]
}

/** As connections were bound before kind and label were; only rebinding.ts and rotation before it open these. */
export function bindFormerConnection(connection: Omit<ConnectionIdentity, 'kind' | 'label'>): readonly string[] {
  return fieldsOf('1', connection)
}

function fieldsOf(version: string, { id, teamId, ownerId, origin, basePath, secretVersion }: Omit<ConnectionIdentity, 'kind' | 'label'>) {
  return [product, version, 'Connection', 'sealedKey', id, ownerId ?? '', teamId, origin, basePath, String(secretVersion)]
}

export function bindSecret({ id, purpose, secretVersion }: Pick<SealedSecret, 'id' | 'purpose' | 'secretVersion'>): readonly string[] {
  return [product, schemaVersion, 'SealedSecret', 'sealed', id, purpose, String(secretVersion)]
}

/** An undo of a server is bound as it was before there were undos of anything else, so that rows of older versions open. */
export function bindUndo(row: Pick<Undo, 'id' | 'teamId' | 'subjectKind' | 'subjectId' | 'kind'>): readonly string[] {
  const { id, teamId, subjectKind, subjectId, kind } = row
  const subject = subjectKind === 'server' ? [subjectId] : [subjectKind, subjectId]
  return [product, schemaVersion, 'Undo', 'sealed', id, teamId, ...subject, kind]
}

/** By the table's name in the database: what is sealed keeps the words it was sealed with, whatever the model is called. */
export function bindCanary(kekId: string): readonly string[] {
  return [product, schemaVersion, 'KeyRing', 'canary', kekId]
}
