/** Reads all sites a user may see quickly from the database: there may be thousands, with every poll of every page. */
import 'server-only'
import { contract } from '@/lib/contract'
import { tellApart } from '@/lib/portal/access/choice-names'
import { findSight } from '@/lib/portal/access/visible'
import { db } from '@/lib/portal/base/db'
import { readSiteLines } from '@/lib/portal/base/sql/site-list'
import type { Actor } from '@/lib/portal/identity/actor'
import { compareTexts } from '@/lib/text/compare'
import type { Connection } from '@/prisma/generated/portal/client'
import { readLabels } from '../labels/labels'
import type { Obstacles } from '../listing/list'
import { readPages } from '../listing/pages'
import { siteDetails } from './details'
import { comparePointing, type ListedSite } from './row'

/**
 * The sites that one of these connections lists for the user and the user sees, sorted by domain, then by id. Of a server out of sight only
 * name and address.
 */
export async function readListedSites(actor: Actor, listing: readonly Connection[], obstacles: Obstacles): Promise<ListedSite[]> {
  const teamId = actor.team.id
  const [deleting, labels, sees] = await Promise.all([readDeleting(actor), readLabels(teamId, 'site'), findSight(actor)])
  const sites: ListedSite[] = []
  const pages = readPages(actor, listing, {
    readPage: (query) => readSiteLines({ teamId, ...query }),
    actingOf: (line) => line[10],
    placeOf: (line) => ({ kind: 'site', siteId: line[0], serverId: line[7] }),
  })
  for await (const page of pages) {
    for (const [line, connection] of page) {
      const [id, domain, upstreamServerId, state, ssl, expires, stored, siteServer, serverName, serverAddress] = line
      if (!sees({ kind: 'site', siteId: id, serverId: siteServer })) continue
      const serverId = siteServer !== null && sees({ kind: 'server', serverId: siteServer }) ? siteServer : null
      const details = siteDetails.read(stored)
      sites.push({
        ...details,
        id,
        domain,
        serverId,
        ssl,
        expires,
        server: serverName ?? upstreamServerId,
        state: deleting.has(id) ? 'deleting' : stateOf(state, obstacles.has(connection.id)),
        points: comparePointing({ address: details.address, serverAddress }),
        connectionLabel: connection.label,
        extensions: connection.extensions,
        labels: labels.get(id) ?? [],
      })
    }
  }
  const servers = sites.flatMap(({ serverId, server: name, connectionLabel }) =>
    serverId ? [{ id: serverId, name, connectionLabel }] : [],
  )
  const names = tellApart(servers, ({ connectionLabel }) => connectionLabel)
  for (const site of sites) site.server = names.get(site.serverId ?? '') ?? site.server
  return sites.sort((one, other) => compareTexts(one.domain, other.domain) || compareTexts(one.id, other.id))
}

/** A state that cannot be read again is not known any more. Services that report none have none to lose. */
export const stateOf = (state: string, obstructed: boolean): string => (state !== '' && obstructed ? 'unknown' : state)

/** Ids of sites with a running deletion. */
async function readDeleting(actor: Actor): Promise<Set<string>> {
  const where = { teamId: actor.team.id, state: 'running', operation: contract.sites.delete.id } as const
  const jobs = await db().job.findMany({ where, select: { siteId: true } })
  return new Set(jobs.flatMap(({ siteId }) => siteId ?? []))
}
