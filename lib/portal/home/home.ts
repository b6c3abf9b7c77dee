/** What Home shows: what needs attention, what runs, what ran lately, and a newcomer's next step. */
import 'server-only'
import { canAct, findSimulating, listUsableConnections } from '../access/connections'
import { db } from '../db'
import { listFullDisks } from '../history/full-disks'
import type { Actor } from '../identity/actor'
import { type JobView, listJobs } from '../jobs/view'
import { visibleTo } from '../servers/row'
import { type AttentionItem, findAttention, namedServers } from './attention'
import { findKnownProblem } from './known-problem'

export type HomeView = {
  /** At most 20; `attentionInAll` counts them all. */
  attention: AttentionItem[]
  attentionInAll: number
  running: JobView[]
  /** The newest that ended, at most 6. */
  recent: JobView[]
  servers: { all: number; ready: number }
  offersSandbox: boolean
  /** Null once the team is past them: a second server is ready. serverId: the first one there is. */
  firstSteps: { added: boolean; installed: boolean; serverId: string | null } | null
}

const mostItems = 20
const mostRunning = 20
const mostRecent = 6

/** Answers from the rows; a service that is slow to answer delays this by `patienceMs` at most. */
export async function readHome(actor: Actor, patienceMs: number): Promise<HomeView> {
  const problems = await askConnections(actor, patienceMs)
  const [connections, jobs, servers, disks] = await Promise.all([
    listUsableConnections(actor),
    listJobs(actor),
    countServers(actor),
    listFullDisks(actor),
  ])
  const attention = findAttention({
    connections: connections.map((connection) => ({
      ...connection,
      problem: canAct(connection) ? (problems.get(connection.id) ?? null) : null,
    })),
    servers: servers.unready,
    counts: { failed: servers.count('failed'), fresh: servers.count('new') },
    jobs,
    states: await readStates(actor, jobs),
    disks,
    now: Date.now(),
  })
  const ready = servers.count('ready')
  return {
    attention: attention.slice(0, mostItems),
    attentionInAll: attention.length,
    running: jobs.filter(({ state }) => state === 'running').slice(0, mostRunning),
    recent: jobs.filter(({ state }) => state !== 'running').slice(0, mostRecent),
    servers: { all: servers.all, ready },
    offersSandbox: findSimulating(connections) !== undefined,
    firstSteps: ready > 1 ? null : { added: servers.all > 0, installed: ready > 0, serverId: servers.firstId },
  }
}

async function askConnections(actor: Actor, patienceMs: number) {
  const connections = await listUsableConnections(actor)
  return new Map(await Promise.all(connections.map(async (one) => [one.id, await findKnownProblem(one, patienceMs)] as const)))
}

async function readStates(actor: Actor, jobs: readonly JobView[]): Promise<Map<string, string>> {
  const ids = [...new Set(jobs.flatMap(({ serverId }) => serverId ?? []))]
  const servers = await db().server.findMany({ where: { ...visibleTo(actor), id: { in: ids } }, select: { id: true, state: true } })
  return new Map(servers.map(({ id, state }) => [id, state]))
}

async function countServers(actor: Actor) {
  const where = visibleTo(actor)
  const unreadyOf = (state: string) =>
    db().server.findMany({
      where: { ...where, state },
      select: { id: true, name: true, state: true },
      orderBy: [{ name: 'asc' }, { id: 'asc' }],
      // Some may be told of by their job already, or be under way.
      take: namedServers * 5,
    })
  const [groups, failed, fresh, first] = await Promise.all([
    db().server.groupBy({ by: ['state'], where, _count: true }),
    unreadyOf('failed'),
    unreadyOf('new'),
    db().server.findFirst({ where, select: { id: true }, orderBy: { createdAt: 'asc' } }),
  ])
  return {
    all: groups.reduce((sum, { _count }) => sum + _count, 0),
    count: (state: string) => groups.find((group) => group.state === state)?._count ?? 0,
    unready: [...failed, ...fresh],
    firstId: first?.id ?? null,
  }
}
