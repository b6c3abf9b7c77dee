import type { Metadata } from 'next'
import { Suspense } from 'react'
import { mayRun } from '@/lib/portal/access/roles'
import { nextTurn } from '@/lib/portal/base/turns'
import { type Actor, requireActor } from '@/lib/portal/identity/actor'
import { findKnownServers, listServers } from '@/lib/portal/subjects/servers/list'
import { type ListQuery, parseListQuery } from './list-query'
import { countFacets, filterServers, indexServers, orderServers } from './list-rows'
import { ListSkeleton } from './list-skeleton'
import { type FirstServers, ServersView } from './servers-view'

export const metadata: Metadata = { title: 'Servers' }

// Fills the tallest window; the page's own read brings the rest.
const firstRows = 40

type Search = { searchParams: Promise<Record<string, string | string[] | undefined>> }

/** Shows immediately what is known; the page then lists from the services, which may take time. */
export default async function ServersPage({ searchParams }: Search) {
  const [actor, search] = await Promise.all([requireActor(), searchParams])
  const query = parseListQuery(toParams(search))
  const known = await findKnownServers(actor)
  if (known) return <List actor={actor} query={query} servers={known} />
  return (
    <Suspense fallback={<ListSkeleton />}>
      <List actor={actor} query={query} servers={listServers(actor)} />
    </Suspense>
  )
}

type KnownServers = Awaited<ReturnType<typeof listServers>>

type ListProps = { actor: Actor; query: ListQuery; servers: KnownServers | Promise<KnownServers> }

async function List({ actor, query, servers }: ListProps) {
  const known = await servers
  const first = { ...(await topOf(known.servers, query)), connections: known.connections }
  return <ServersView first={first} mayChange={mayRun(actor.role, 'change')} />
}

/** With thousands of servers each step takes a while, so other requests are served in between. */
async function topOf(servers: Parameters<typeof indexServers>[0], query: ListQuery): Promise<Omit<FirstServers, 'connections'>> {
  const index = indexServers(servers)
  await nextTurn()
  const ordered = orderServers(index, query.column, query.descending)
  await nextTurn()
  const shown = filterServers(ordered, query)
  return { servers: shown.slice(0, firstRows), counts: countFacets(index), shown: shown.length, all: servers.length }
}

const toParams = (search: Awaited<Search['searchParams']>): URLSearchParams =>
  new URLSearchParams(Object.entries(search).flatMap(([name, value]) => [value ?? []].flat().map((one): [string, string] => [name, one])))
