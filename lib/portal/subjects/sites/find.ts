/** Finds one site by its opaque id in the database, without calling a service. */
import 'server-only'
import { contract } from '@/lib/contract'
import { canAct, isSimulated, rankConnections } from '@/lib/portal/access/connections'
import { recordDeniedRead } from '@/lib/portal/access/denied'
import { findSight, sitesVisibleTo } from '@/lib/portal/access/visible'
import { db } from '@/lib/portal/base/db'
import { isOpaqueId } from '@/lib/portal/base/opaque-id'
import type { Actor } from '@/lib/portal/identity/actor'
import { readLabelsOf } from '../labels/labels'
import { siteDetails } from './details'
import { findSitesProblem } from './listing'
import { stateOf } from './read-list'
import { comparePointing, type SiteRow } from './row'

const beside = {
  server: true,
  jobs: { where: { state: 'running', operation: contract.sites.delete.id }, select: { id: true } },
} as const

/** Null for a site that is unknown, gone or another team's; logs a refusal. */
export async function findSite(actor: Actor, id: string): Promise<SiteRow | null> {
  const where = { id, ...(await sitesVisibleTo(actor)) }
  const site = isOpaqueId(id) ? await db().site.findFirst({ where, include: beside }) : null
  const ranked = site ? await rankConnections(actor, { kind: 'site', siteId: id, serverId: site.serverId }) : []
  const able = ranked.filter(canAct)
  const acting = able[0] ?? ranked[0]
  if (!site || !acting) {
    await recordDeniedRead(actor, 'sites.show', { kind: 'site', id })
    return null
  }
  const server = site.server?.goneAt === null ? site.server : null
  const [deletingJobId, obstructed] = [site.jobs[0]?.id ?? null, !able.some(({ id }) => findSitesProblem(id) === null)]
  const { domain, ssl, expires } = site
  const details = siteDetails.read(site.details)
  return {
    ...details,
    id,
    domain,
    name: domain,
    ssl,
    expires,
    deletingJobId,
    serverId: server && (await findSight(actor))({ kind: 'server', serverId: server.id }) ? server.id : null,
    server: server?.name ?? site.upstreamServerId,
    serverHost: server ? server.address || server.hostname : '',
    state: deletingJobId ? 'deleting' : stateOf(site.state, obstructed),
    points: comparePointing({ address: details.address, serverAddress: server?.address ?? null }),
    connectionLabel: acting.label,
    extensions: acting.extensions,
    labels: await readLabelsOf('site', id),
    acting: able.length > 1 ? acting.label : null,
    sandbox: server !== null && isSimulated(server, acting),
  }
}
