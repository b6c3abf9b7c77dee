/** One server by its opaque id, from the rows: no service is asked. */
import 'server-only'
import { recordDeniedRead } from '../access/denied'
import { isOpaqueId } from '../access/opaque-id'
import { db } from '../db'
import type { Actor } from '../identity/actor'
import { readLabelsOf } from '../labels/labels'
import { beside, type ServerRow, toServerRow, visibleTo } from './row'

/** Null for what is another team's, gone or never was; a refusal is recorded. */
export async function findServer(actor: Actor, id: string): Promise<ServerRow | null> {
  const server = isOpaqueId(id) ? await db().server.findFirst({ where: { id, ...visibleTo(actor) }, include: beside }) : null
  if (!server) {
    await recordDeniedRead(actor, 'servers.show', { kind: 'server', id })
    return null
  }
  return toServerRow(actor, server, await readLabelsOf('server', id))
}
