/** Reads all servers a user may see quickly from the database: there may be thousands, with every poll of every page. */
import 'server-only'
import { problem } from '@/lib/contract/problem'
import { type Reachability, reachable, resolveReachability } from '@/lib/contract/reachability'
import { canAct, isSimulated } from '@/lib/portal/access/connections'
import { db } from '@/lib/portal/base/db'
import { type RankedConnection, readServerLines, type ServerLine } from '@/lib/portal/base/sql/server-list'
import { nextTurn } from '@/lib/portal/base/turns'
import type { Actor } from '@/lib/portal/identity/actor'
import type { Connection } from '@/prisma/generated/portal/client'
import { readUnreachable } from '../findings/findings'
import { readLabels } from '../labels/labels'
import type { Obstacle, Obstacles } from '../listing/list'
import type { ListedServer } from './row'

const linesPerPage = 500

/** The servers that a usable connection lists, sorted by name, then by id. */
export async function readListedServers(actor: Actor, usable: readonly Connection[], obstacles: Obstacles): Promise<ListedServer[]> {
  const teamId = actor.team.id
  const [jobs, labels, unreachable] = await Promise.all([readRunningJobs(actor), readLabels(teamId, 'server'), readUnreachable(teamId)])
  const connections = new Map(usable.map((connection) => [connection.id, connection]))
  const servers: ListedServer[] = []
  let [last, more] = ['', true]
  while (more) {
    const page = await readPage(actor, usable, last)
    for (const [id, name, hostname, dns, address, provider, state, acting] of page) {
      const connection = connections.get(acting ?? '')
      if (!connection) continue
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
        runningJobId,
        labels: labels.get(id) ?? [],
        reach: reachOf(unreachable.get(id) ?? reachable, obstacles.get(connection.id)),
      })
    }
    last = page.at(-1)?.[0] ?? ''
    more = page.length === linesPerPage
    // Database reads are synchronous and block the process meanwhile.
    if (more) await nextTurn()
  }
  return servers.sort((one, other) => compare(one.name, other.name) || compare(one.id, other.id))
}

/** Whatever the reason, listing failed before it reached a server. */
export const noList = problem('upstream_failed')

const reachOf = (known: Reachability, obstacle: Obstacle | undefined): Reachability =>
  obstacle ? resolveReachability(known, noList, { checkedAt: '', seenAt: obstacle.listedAt }) : known

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

/** Sorts usable connections first, as chooseConnection does. */
function readPage(actor: Actor, usable: readonly Connection[], afterId: string): Promise<ServerLine[]> {
  const connections = usable.map((one): RankedConnection => ({ id: one.id, own: one.ownerId === null ? 0 : 1, able: canAct(one) ? 1 : 0 }))
  return readServerLines({ teamId: actor.team.id, connections, afterId, limit: linesPerPage })
}

/** Ids of running jobs, by server id. */
async function readRunningJobs(actor: Actor): Promise<Map<string, string>> {
  const jobs = await db().job.findMany({
    where: { teamId: actor.team.id, state: 'running' },
    select: { id: true, serverId: true },
  })
  return new Map(jobs.flatMap(({ id, serverId }) => (serverId === null ? [] : [[serverId, id] as const])))
}
