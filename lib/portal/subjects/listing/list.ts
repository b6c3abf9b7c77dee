/** Lists a subject over all connections that a user may use. For one that fails, returns the problem and the last known rows. */
import 'server-only'
import { type Cut, type Problem, problem } from '@/lib/contract/problem'
import { findSimulating, listListingConnections } from '@/lib/portal/access/connections'
import { findFrozen } from '@/lib/portal/access/frozen'
import type { Actor } from '@/lib/portal/identity/actor'
import type { Connection } from '@/prisma/generated/portal/client'
import { findListingProblem, findStored } from './cache'
import type { ListingKind, ListOperation } from './kind'
import { refreshListing } from './refresh'

export type ConnectionRow = {
  id: string
  label: string
  state: string
  /** Whether its service can simulate servers. */
  simulates: boolean
  problem: Problem | null
  /** If it fails: when it last listed any item, ISO, or null if never. Null while it works. */
  listedAt: string | null
  /** Set if the service lists more items than the portal accepts. */
  cut: Cut | null
  /** The number of unreadable items in its list. */
  unreadable: number
}

/** Why a connection cannot list now, and when it last did (ISO). */
export type Obstacle = { problem: Problem; listedAt: string | null }

export type Obstacles = ReadonlyMap<string, Obstacle>

type Problems = ReadonlyMap<string, Problem | null>

/** Reads the rows from the database. The obstacles are the problems of some connections. */
type ReadRows<Row> = (actor: Actor, usable: readonly Connection[], obstacles: Obstacles) => Promise<Row[]>

export type Listed<Row> = { rows: Row[]; connections: ConnectionRow[] }

/** The list of one subject. Both ways of reading return the same shape, and equal results as long as nothing changes. */
export function createList<Op extends ListOperation, M extends Readonly<Record<string, string>>, Row>(
  kind: ListingKind<Op, M>,
  readRows: ReadRows<Row>,
) {
  const list = kind.operation.id

  async function read(actor: Actor, connections: readonly Connection[], problems: Problems): Promise<Listed<Row>> {
    const obstacles = await readObstacles(connections, problems)
    const rows = await readRows(actor, connections, obstacles)
    return { rows, connections: connections.map((connection) => toConnectionRow(list, connection, obstacles.get(connection.id))) }
  }

  /** The connections that do not respond, or whose API key is refused or locked, by id. */
  async function readObstacles(connections: readonly Connection[], problems: Problems): Promise<Map<string, Obstacle>> {
    const found = connections.map(async (connection) => {
      const reason = (await findFrozen(connection.id)) ?? outlived(problems.get(connection.id)) ?? problemOfState(connection)
      if (!reason) return []
      const listedAt = await kind.rows.findListedAt(connection.id)
      return [[connection.id, { problem: reason, listedAt: listedAt?.toISOString() ?? null }] as const]
    })
    return new Map((await Promise.all(found)).flat())
  }

  return {
    readObstacles,
    /** Lists over all connections in parallel, each at most once in 2 s. */
    async ask(actor: Actor): Promise<Listed<Row>> {
      const asked = await listListingConnections(actor)
      const problems = await Promise.all(asked.map(async (connection) => [connection.id, await refreshListing(kind, connection)] as const))
      // Read again, because listing may have found that a key is refused.
      return read(actor, await listListingConnections(actor), new Map(problems))
    },
    /** The last known list, without calling a service. Null if a connection has never listed anything yet. */
    async findKnown(actor: Actor): Promise<Listed<Row> | null> {
      const connections = await listListingConnections(actor)
      if (connections.some(({ provenAt }) => provenAt === null)) return null
      return read(actor, connections, new Map(connections.map(({ id }) => [id, findListingProblem(list, id)])))
    },
  }
}

function toConnectionRow(list: string, connection: Connection, obstacle: Obstacle | undefined): ConnectionRow {
  const { id, label, state } = connection
  const { problem = null, listedAt = null } = obstacle ?? {}
  const { cut, unreadable } = findStored(list, id) ?? { cut: null, unreadable: 0 }
  const simulates = findSimulating([connection]) !== undefined
  return { id, label, state, simulates, problem, listedAt, cut, unreadable }
}

/** A problem that the last listing had, unless it was that the connection was frozen: it is not any more. */
const outlived = (known: Problem | null | undefined): Problem | null => (known?.code === 'key_frozen' ? null : (known ?? null))

function problemOfState({ state }: Connection): Problem | null {
  if (state === 'rejected') return problem('key_rejected')
  return state === 'locked' ? problem('key_locked') : null
}
