/** Counts and names the servers for Home, by the same rules as the chips and filters of the server list. */
import 'server-only'
import { type ServerState, serverStateOf } from '@/lib/contract/reachability'
import { findFirstAdded, readAddedAt } from '@/lib/portal/base/sql/server-list'
import type { Actor } from '@/lib/portal/identity/actor'
import { readFindings } from '@/lib/portal/subjects/findings/findings'
import type { Obstacles } from '@/lib/portal/subjects/listing/list'
import { readListedServers } from '@/lib/portal/subjects/servers/read-list'
import type { ListedServer } from '@/lib/portal/subjects/servers/row'
import type { Connection } from '@/prisma/generated/portal/client'
import type { NamedFinding, NamedServer } from './attention-servers'

/** By state; states without servers are absent. */
export type StateCounts = Partial<Record<ServerState, number>>

export type HomeServers = {
  all: number
  states: StateCounts
  /** By name. */
  waiting: NamedServer[]
  findings: NamedFinding[]
  /** Those that were installed, whether or not they are reachable now. */
  installed: { id: string; state: ServerState }[]
  firstId: string | null
  /** Those whose service announces extensions. */
  extended: ReadonlySet<string>
}

export async function readHomeServers(actor: Actor, connections: readonly Connection[], obstacles: Obstacles): Promise<HomeServers> {
  const servers = await readListedServers(actor, connections, obstacles)
  const states = new Map(servers.map((server) => [server.id, serverStateOf(server)]))
  const added = await readAddedAt(servers.filter(({ id }) => isWaiting(states.get(id))).map(({ id }) => id))
  return {
    all: servers.length,
    states: countBy(states.values()),
    waiting: servers.flatMap(({ id, name }) => {
      const state = states.get(id)
      return state && isWaiting(state) ? [{ id, name, state, addedAt: added.get(id) ?? null }] : []
    }),
    findings: await nameFindings(actor, servers, states),
    installed: servers.flatMap((server) => (server.state === 'ready' ? [{ id: server.id, state: serverStateOf(server) }] : [])),
    extended: new Set(servers.flatMap(({ id, extensions }) => (extensions ? [id] : []))),
    firstId: await findFirstAdded(servers.map(({ id }) => id)),
  }
}

const isWaiting = (state: ServerState | undefined): boolean => state === 'new' || state === 'failed'

function countBy(states: Iterable<ServerState>): StateCounts {
  const counts: StateCounts = {}
  for (const state of states) counts[state] = (counts[state] ?? 0) + 1
  return counts
}

/** While a server is unreachable or its state unknown, its other findings are out of date. */
async function nameFindings(
  actor: Actor,
  servers: readonly ListedServer[],
  states: ReadonlyMap<string, ServerState>,
): Promise<NamedFinding[]> {
  const names = new Map(servers.map(({ id, name }) => [id, name]))
  const found = (await readFindings(actor.team.id)).flatMap(({ serverId, kind, since, detail }): NamedFinding[] => {
    const [name, state] = [names.get(serverId), states.get(serverId)]
    const told = kind === 'unreachable' ? state === 'unreachable' : state !== 'unknown' && state !== 'unreachable'
    return name !== undefined && told ? [{ serverId, name, kind, since: since.toISOString(), detail }] : []
  })
  return found.sort((one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : 0))
}
