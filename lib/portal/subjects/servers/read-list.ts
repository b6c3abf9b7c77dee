/** Reads all servers a user may see quickly from the database: there may be thousands, with every poll of every page. */
import 'server-only'
import { contract } from '@/lib/contract'
import { problem } from '@/lib/contract/problem'
import { type Reachability, reachable, resolveReachability } from '@/lib/contract/reachability'
import { isSimulated } from '@/lib/portal/access/connections'
import { findSight } from '@/lib/portal/access/visible'
import { db } from '@/lib/portal/base/db'
import { readServerLines } from '@/lib/portal/base/sql/server-list'
import type { Actor } from '@/lib/portal/identity/actor'
import { compareTexts } from '@/lib/text/compare'
import type { Connection } from '@/prisma/generated/portal/client'
import { readUnreachable } from '../findings/findings'
import { readLabels } from '../labels/labels'
import type { Obstacle, Obstacles } from '../listing/list'
import { readPages } from '../listing/pages'
import type { ListedServer } from './row'

/** The servers that one of these connections lists for the user and the user sees, sorted by name, then by id. */
export async function readListedServers(actor: Actor, listing: readonly Connection[], obstacles: Obstacles): Promise<ListedServer[]> {
  const teamId = actor.team.id
  const sees = await findSight(actor)
  const [jobs, labels, unreachable] = await Promise.all([readRunningJobs(actor), readLabels(teamId, 'server'), readUnreachable(teamId)])
  const servers: ListedServer[] = []
  const pages = readPages(actor, listing, {
    readPage: (query) => readServerLines({ teamId, ...query }),
    actingOf: (line) => line[7],
    placeOf: ([serverId]) => ({ kind: 'server', serverId }),
  })
  for await (const page of pages) {
    for (const [[id, name, hostname, dns, address, provider, state], connection] of page) {
      if (!sees({ kind: 'server', serverId: id })) continue
      const [connectionLabel, runningJobId] = [connection.label, jobs.get(id) ?? null]
      const sandbox = isSimulated({ provider }, connection)
      servers.push({
        id,
        name,
        hostname,
        dns,
        address,
        provider,
        state,
        sandbox,
        connectionLabel,
        extensions: connection.extensions,
        runningJobId,
        labels: labels.get(id) ?? [],
        reach: reachOf(unreachable.get(id) ?? reachable, obstacles.get(connection.id)),
      })
    }
  }
  return servers.sort((one, other) => compareTexts(one.name, other.name) || compareTexts(one.id, other.id))
}

/** Whatever the reason, listing failed before it reached a server. */
export const noList = problem('upstream_failed')

const reachOf = (known: Reachability, obstacle: Obstacle | undefined): Reachability =>
  obstacle ? resolveReachability(known, noList, { checkedAt: '', seenAt: obstacle.listedAt }) : known

/** Ids of running installs, by server id. */
async function readRunningJobs(actor: Actor): Promise<Map<string, string>> {
  const jobs = await db().job.findMany({
    where: { teamId: actor.team.id, state: 'running', operation: contract.servers.install.id },
    select: { id: true, serverId: true },
  })
  return new Map(jobs.flatMap(({ id, serverId }) => (serverId === null ? [] : [[serverId, id] as const])))
}
