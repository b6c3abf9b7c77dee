/** Finds one server by its opaque id in the database, without calling a service. */
import 'server-only'
import { reachable, resolveReachability } from '@/lib/contract/reachability'
import { canAct, ownerOf } from '@/lib/portal/access/connections'
import { recordDeniedRead } from '@/lib/portal/access/denied'
import { mayUse } from '@/lib/portal/access/loans/compile'
import { lendingOf } from '@/lib/portal/access/loans/read'
import { serversVisibleTo } from '@/lib/portal/access/visible'
import { db } from '@/lib/portal/base/db'
import { isOpaqueId } from '@/lib/portal/base/opaque-id'
import type { Actor } from '@/lib/portal/identity/actor'
import { readUnreachable } from '../findings/findings'
import { readLabelsOf } from '../labels/labels'
import { findServersProblem } from './listing'
import { noList } from './read-list'
import { beside, type ServerRow, toServerRow } from './row'

/** Null for a server that is unknown, gone or another team's; logs a refusal. */
export async function findServer(actor: Actor, id: string): Promise<ServerRow | null> {
  const server = isOpaqueId(id) ? await db().server.findFirst({ where: { id, ...(await serversVisibleTo(actor)) }, include: beside }) : null
  if (!server) {
    await recordDeniedRead(actor, 'servers.show', { kind: 'server', id })
    return null
  }
  const [labels, unreachable, lending] = await Promise.all([readLabelsOf('server', id), readUnreachable(actor.team.id), lendingOf(actor)])
  const userId = ownerOf(actor)
  const connections = server.connections.filter(({ connection }) => mayUse(connection, userId, lending, { kind: 'server', serverId: id }))
  const answers = connections.some(({ connection }) => canAct(connection) && findServersProblem(connection.id) === null)
  const listedAt = server.listedAt.toISOString()
  const reach = resolveReachability(unreachable.get(id) ?? reachable, answers ? null : noList, { checkedAt: listedAt, seenAt: listedAt })
  return toServerRow({ ...server, connections }, { userId, labels, reach })
}
