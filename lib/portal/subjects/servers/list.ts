/** The servers a user may see: the union over their usable connections. */
import 'server-only'
import type { Actor } from '@/lib/portal/identity/actor'
import { type ConnectionRow, createList, type Listed } from '../listing/list'
import { answerSince as answerVersion, orderOf, type Versioned } from '../listing/version'
import { serverListing } from './listing'
import { readListedServers } from './read-list'
import type { ListedServer } from './row'

export type { ConnectionRow } from '../listing/list'
export type { ListedServer } from './row'

export type ServerList = { servers: ListedServer[]; connections: ConnectionRow[] }

/** order: see orderOf. */
export type VersionedList = Versioned<ServerList & { order: string }>

const list = createList(serverListing, readListedServers)

const named = ({ rows: servers, connections }: Listed<ListedServer>): ServerList => ({ servers, connections })

/** Lists over all connections, each at most once in 2 s. For one that fails, returns the problem and its last known servers. */
export const listServers = async (actor: Actor): Promise<ServerList> => named(await list.ask(actor))

/** The last known list with the newest results, without calling a service. Null if a connection has never listed anything yet. */
export async function findKnownServers(actor: Actor): Promise<ServerList | null> {
  const known = await list.findKnown(actor)
  return known && named(known)
}

/** The connections that do not respond, or whose API key is refused or locked, by id. */
export const readObstacles = list.readObstacles

/** The answer to a poll, as JSON text of a VersionedList. `seen`: the caller's version, or null. */
export function answerSince(list: ServerList, seen: string | null): Promise<string> {
  const ordered = { ...list, order: orderOf(list.servers) }
  return answerVersion('servers', ordered, seen)
}
