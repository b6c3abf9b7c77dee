/** Makes a connection, its key sealed before it touches the database. */
import 'server-only'
import { randomBytes } from 'node:crypto'
import { sealCredential } from '../custody/credential'
import { db } from '../db'

export type NewConnection = {
  teamId: string
  /** null: the team owns it. */
  ownerId: string | null
  label: string
  /** bundled: the service beside this portal, whatever its port. foreign: any other, at origin + basePath. */
  kind: 'bundled' | 'foreign'
  /** For foreign: https://host[:port], checked already, and the path before /servers ('' or '/api'). */
  origin?: string
  basePath?: string
  key: string
}

/** Stores it and answers its id. The team's row (and the owner's) has to exist already. */
export async function createConnection({ key, ...given }: NewConnection): Promise<{ id: string }> {
  const place = {
    id: randomBytes(16).toString('base64url'),
    teamId: given.teamId,
    ownerId: given.ownerId,
    origin: given.kind === 'bundled' ? 'bundled' : (given.origin ?? ''),
    basePath: given.basePath ?? '',
    secretVersion: 1,
  }
  const sealed = await sealCredential({ connection: place, key })
  await db().connection.create({
    data: { ...place, ...sealed, label: given.label, kind: given.kind, state: 'untried' },
  })
  return { id: place.id }
}
