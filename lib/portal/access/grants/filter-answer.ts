/** Leaves out of a service's answer what the actor does not see, as the contract declares for each id. */
import 'server-only'
import { operations } from '@/lib/contract'
import { isJsonObject } from '@/lib/contract/json'
import { type FilteredId, filteredIds } from '@/lib/contract/json-schema'
import type { Answer, Operation } from '@/lib/contract/operation'
import { type Outcome, problem } from '@/lib/contract/problem'
import { db } from '@/lib/portal/base/db'
import type { Actor } from '@/lib/portal/identity/actor'
import type { Connection } from '@/prisma/generated/portal/client'
import { ownerOf, upstreamOf } from '../connections'
import { isForeign, mayUse } from '../loans/compile'
import { lendingOf } from '../loans/read'
import { isSeen } from './compile'
import type { Place } from './grant'
import { rightOf } from './read'

/** Whether the id of the service means something in sight. What no list has shown yet is in no grant. */
type IsInSight = (kind: FilteredId['kind'], upstreamId: string) => boolean

const dropped = Symbol('dropped')

const filtersById = new Map(
  operations.map(({ id, answer }) => [id, filteredIds(answer).filter(({ filter }) => filter !== 'target')] as const),
)

export async function filterAnswer<O extends Operation>(
  actor: Actor,
  operation: O,
  connection: Connection,
  answered: Outcome<Answer<O>> & { ok: true },
): Promise<Outcome<Answer<O>>> {
  const filters = filtersById.get(operation.id) ?? []
  if (filters.length === 0) return answered
  if ((await rightOf(actor)).seen.everything && !isForeign(connection, ownerOf(actor))) return answered
  const isInSight = await findInSight(actor, connection)
  let left: unknown = answered.data
  for (const { path, kind, filter } of filters) left = left === dropped ? dropped : apply(left, path, filter, (id) => isInSight(kind, id))
  // Items are left out and members emptied, so the rest has the type that it had.
  return left === dropped ? { ok: false, problem: problem('not_found') } : { ...answered, data: left as Answer<O> }
}

/** Drops the innermost list item around an id that is out of sight, or empties the id. */
function apply(value: unknown, path: readonly string[], filter: FilteredId['filter'], sees: (id: string) => boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => apply(item, path, filter, sees)).filter((item) => item !== dropped)
  const [name, ...rest] = path
  if (!isJsonObject(value) || name === undefined || !Object.hasOwn(value, name)) return value
  const member = value[name]
  if (rest.length > 0) {
    const inner = apply(member, rest, filter, sees)
    return inner === dropped ? dropped : { ...value, [name]: inner }
  }
  if (typeof member !== 'string' || member === '' || sees(member)) return value
  return filter === 'item' ? dropped : { ...value, [name]: '' }
}

async function findInSight(actor: Actor, connection: Connection): Promise<IsInSight> {
  const [right, lending] = await Promise.all([rightOf(actor), lendingOf(actor)])
  const sees = (place: Place) => isSeen(right, place) && mayUse(connection, ownerOf(actor), lending, place)
  const where = { teamId: actor.team.id, origin: upstreamOf(connection), goneAt: null }
  const [servers, sites] = await Promise.all([
    db().server.findMany({ where, select: { id: true, upstreamId: true } }),
    db().site.findMany({ where, select: { id: true, upstreamId: true, serverId: true } }),
  ])
  const seenServers = servers.filter(({ id }) => sees({ kind: 'server', serverId: id }))
  const seenSites = sites.filter(({ id, serverId }) => sees({ kind: 'site', siteId: id, serverId }))
  const seen = { server: new Set(seenServers.map(upstreamIdOf)), site: new Set(seenSites.map(upstreamIdOf)) }
  return (kind, id) => seen[kind].has(id)
}

const upstreamIdOf = ({ upstreamId }: { upstreamId: string }): string => upstreamId
