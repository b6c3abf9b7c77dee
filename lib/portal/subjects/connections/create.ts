/** Creates a connection: drafted in memory with its encrypted API key, stored once the key is verified. */
import 'server-only'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import { sealCredential } from '@/lib/portal/custody/credential'
import type { Connection, ConnectionKind, Prisma } from '@/prisma/generated/portal/client'
import type { Proof } from './prove'

export type NewConnection = {
  teamId: string
  /** Null for a connection of the team. */
  ownerId: string | null
  label: string
  /** bundled: the service that runs next to this portal, whatever its port. foreign: any other, at origin + basePath. */
  kind: ConnectionKind
  /** For foreign: https://host[:port], already checked, and the path before /servers ('' or '/api'). */
  origin?: string
  basePath?: string
  key: string
}

/** A connection that is not stored yet. Throws RangeError if the text cannot be an API key. */
export async function draftConnection({ key, ...given }: NewConnection): Promise<Connection> {
  const place = {
    id: createOpaqueId(),
    teamId: given.teamId,
    ownerId: given.ownerId,
    origin: given.kind === 'bundled' ? 'bundled' : (given.origin ?? ''),
    basePath: given.basePath ?? '',
    kind: given.kind,
    label: given.label,
    secretVersion: 1,
  }
  const sealed = await sealCredential({ connection: place, key })
  const times = { createdAt: new Date(), lastUsedAt: null, provenAt: null, frozenAt: null, frozenById: null }
  return { ...place, ...sealed, ...times, state: 'untried', extensions: false, rev: 0 }
}

/** Stores a draft with the result of its test; without a test it is `untried`. The row of the team (and the owner) must exist. */
export async function keepConnection(draft: Connection, proof?: Proof, client: Prisma.TransactionClient = db()): Promise<void> {
  await client.connection.create({ data: { ...draft, ...(proof && provenNow(proof)) } })
}

/** The columns to store after an API key has worked. */
export function provenNow({ extensions }: Proof) {
  const now = new Date()
  return { state: 'working' as const, extensions, provenAt: now, lastUsedAt: now }
}
