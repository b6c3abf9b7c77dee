/** The servers on which a user can create a site. */
import 'server-only'
import { listUsableConnections, upstreamOf } from '@/lib/portal/access/connections'
import { visibleTo } from '@/lib/portal/access/visible'
import { db } from '@/lib/portal/base/db'
import type { Actor } from '@/lib/portal/identity/actor'

/** extensions: its service announces them. */
export type SiteHost = { id: string; name: string; address: string; extensions: boolean }

/** Installed servers, and those whose service does not report whether they are, by name. */
export async function listSiteHosts(actor: Actor): Promise<SiteHost[]> {
  const [servers, connections] = await Promise.all([
    db().server.findMany({
      where: { ...visibleTo(actor), state: { in: ['ready', ''] } },
      select: { id: true, name: true, address: true, hostname: true, origin: true },
      orderBy: [{ name: 'asc' }, { id: 'asc' }],
    }),
    listUsableConnections(actor),
  ])
  const services = new Map(connections.map((connection) => [upstreamOf(connection), connection]))
  return servers.map(({ origin, hostname, address, ...server }) => {
    const extensions = services.get(origin)?.extensions ?? false
    return { ...server, address: address || hostname, extensions }
  })
}
