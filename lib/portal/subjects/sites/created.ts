/** Finds the site that was just created: by the id in the answer, else by server and domain in the list. */
import 'server-only'
import { setTimeout as pause } from 'node:timers/promises'
import { upstreamOf } from '@/lib/portal/access/connections'
import { db } from '@/lib/portal/base/db'
import { isSameDomain } from '@/lib/text/ascii-domain'
import type { Connection, Job } from '@/prisma/generated/portal/client'
import { forgetListing } from '../listing/cache'
import { refreshSites } from './listing'

type Created = {
  row: Pick<Job, 'teamId' | 'serverId' | 'targetName' | 'startedAt'>
  connection: Connection | null
}

type Search = {
  /** The service's own id; empty if it returned none. */
  upstreamId: string
  /**
   * Only a site that was created, and was not listed before the job began: the domain may have had one already, and the job may have done
   * nothing.
   */
  onlyNew: boolean
  /** Whether to list again until the site appears. */
  patient: boolean
}

// A service may list a new site a moment after its creation.
const patienceMs = 30_000
const everyMs = 1_500

// The bundled service lists a site from the start of its creation, and as failed if it does not know how that ended.
const unfinished = ['creating', 'failed']

/** The portal's id of the site, or null if no list shows it. `forMs`: how long a patient search lasts. */
export async function findCreatedSite(created: Created, search: Search, forMs = patienceMs): Promise<string | null> {
  const { connection } = created
  if (!connection) return null
  const until = Date.now() + (search.patient ? forMs : 0)
  for (;;) {
    forgetListing(connection.id)
    await refreshSites(connection)
    const found = await findListed(created.row, connection, search)
    if (found || Date.now() >= until) return found
    await pause(Math.min(everyMs, until - Date.now()), undefined, { ref: false })
  }
}

// The bundled service lists it before it sends the first line.
const begunPatienceMs = 10_000

/** The portal's id of a site whose creation has begun, so that it has a page at once. Null if no list shows it, or the job is over first. */
export async function findBegunSite(created: Created, isOver: () => boolean): Promise<string | null> {
  const { connection, row } = created
  const until = Date.now() + begunPatienceMs
  while (connection?.extensions && !isOver() && Date.now() < until) {
    forgetListing(connection.id)
    await refreshSites(connection)
    const found = await findListed(row, connection, { upstreamId: '', onlyNew: true, unfinished: true })
    if (found) return found
    await pause(everyMs, undefined, { ref: false })
  }
  return null
}

/** unfinished: also one that is not created yet. */
type ListSearch = Pick<Search, 'upstreamId' | 'onlyNew'> & { unfinished?: true }

async function findListed(row: Created['row'], connection: Connection, search: ListSearch): Promise<string | null> {
  const { upstreamId, onlyNew } = search
  const place = { teamId: row.teamId, origin: upstreamOf(connection), goneAt: null, connections: { some: { connectionId: connection.id } } }
  const fresh = onlyNew ? { createdAt: { gte: row.startedAt }, ...(!search.unfinished && { state: { notIn: unfinished } }) } : {}
  const select = { id: true, domain: true } as const
  const named = upstreamId === '' ? null : await db().site.findFirst({ where: { ...place, ...fresh, upstreamId }, select })
  if (named) return named.id
  const onServer = await db().site.findMany({
    where: { ...place, ...fresh, serverId: row.serverId },
    select,
    orderBy: { createdAt: 'desc' },
  })
  return onServer.find(({ domain }) => isSameDomain(domain, row.targetName))?.id ?? null
}
