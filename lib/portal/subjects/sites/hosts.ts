/** The servers on which a user can create a site. */
import 'server-only'
import { isSimulated, listUsableConnections, upstreamOf } from '@/lib/portal/access/connections'
import { visibleTo } from '@/lib/portal/access/visible'
import { db } from '@/lib/portal/base/db'
import type { Actor } from '@/lib/portal/identity/actor'

/** extensions: its service announces them. sandbox: sites there are simulated, as their DNS is. */
export type SiteHost = { id: string; name: string; address: string; extensions: boolean; sandbox: boolean }

/** Installed servers, and those whose service does not report whether they are, by name. */
export async function listSiteHosts(actor: Actor): Promise<SiteHost[]> {
  const [servers, connections] = await Promise.all([
    db().server.findMany({
      where: { ...visibleTo(actor), state: { in: ['ready', ''] } },
      select: { id: true, name: true, address: true, hostname: true, origin: true, provider: true },
      orderBy: [{ name: 'asc' }, { id: 'asc' }],
    }),
    listUsableConnections(actor),
  ])
  const services = new Map(connections.map((connection) => [upstreamOf(connection), connection]))
  return servers.map(({ origin, hostname, address, provider, ...server }) => {
    const connection = services.get(origin)
    const sandbox = connection !== undefined && isSimulated({ provider }, connection)
    return { ...server, address: address || hostname, extensions: connection?.extensions ?? false, sandbox }
  })
}
