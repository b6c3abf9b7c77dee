/** The servers on which a user can create a site. */
import 'server-only'
import { contract } from '@/lib/contract'
import { readChoiceNames } from '@/lib/portal/access/choice-names'
import { isSimulated, listListingConnections, upstreamOf } from '@/lib/portal/access/connections'
import { findGranted } from '@/lib/portal/access/decide'
import { serversVisibleTo } from '@/lib/portal/access/visible'
import { db } from '@/lib/portal/base/db'
import type { Actor } from '@/lib/portal/identity/actor'
import { compareTexts } from '@/lib/text/compare'

/**
 * name: as choices show it, with the label of its connection if another connection has a server of that name. extensions: its service
 * announces them. sandbox: sites there are simulated, as their DNS is.
 */
export type SiteHost = { id: string; name: string; address: string; extensions: boolean; sandbox: boolean }

/** Installed servers, and those whose service does not report whether they are, by name. */
export async function listSiteHosts(actor: Actor): Promise<SiteHost[]> {
  const [servers, connections] = await Promise.all([
    db().server.findMany({
      where: { ...(await serversVisibleTo(actor)), state: { in: ['ready', ''] } },
      select: { id: true, name: true, address: true, hostname: true, origin: true, provider: true },
    }),
    listListingConnections(actor),
  ])
  const granted = await findGranted(
    actor,
    contract.sites.create,
    'server',
    servers.map(({ id }) => id),
  )
  const services = new Map(connections.map((connection) => [upstreamOf(connection), connection]))
  const names = await readChoiceNames(actor, servers)
  const hosts = servers
    .filter(({ id }) => granted.has(id))
    .map(({ id, name, origin, hostname, address, provider }) => {
      const connection = services.get(origin)
      const sandbox = connection !== undefined && isSimulated({ provider }, connection)
      return { id, name: names.get(id) ?? name, address: address || hostname, extensions: connection?.extensions ?? false, sandbox }
    })
  return hosts.sort((one, other) => compareTexts(one.name, other.name) || compareTexts(one.id, other.id))
}
