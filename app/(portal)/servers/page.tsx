import type { Metadata } from 'next'
import { Suspense } from 'react'
import { ListSkeleton } from '@/app/_shared/collection/collection-skeleton'
import { contract } from '@/lib/contract'
import { findOffers } from '@/lib/portal/access/decide'
import { listOffersEverywhere } from '@/lib/portal/batches/offers'
import { type Person, requireActor } from '@/lib/portal/identity/actor'
import { readListViews } from '@/lib/portal/identity/list-views'
import { findKnownServers, listServers, type ServerList } from '@/lib/portal/subjects/servers/list'
import { readVitals } from '@/lib/portal/views/vitals/vitals'
import { WhoCanGrant } from '../../_shared/access/who-can-grant'
import { AskInWords } from '../../_shared/access-requests/ask-here'
import { firstRowsOf, type SearchParams } from '../../_shared/collection/first-rows'
import { filledColumnsOf } from '../../_shared/collection/list-column'
import { summarizeFigures } from '../../_shared/servers/figures'
import { vitalsById, withVitals } from '../../_shared/servers/server-line'
import { serverCollection } from './list-rows'
import { serverColumns } from './server-columns'
import { ServersView } from './servers-view'

export const metadata: Metadata = { title: 'Servers' }

/** Shows immediately what is known; the page then lists from the services, which may take time. */
export default async function ServersPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const [actor, search] = await Promise.all([requireActor(), searchParams])
  const known = await findKnownServers(actor)
  if (known) return <List actor={actor} search={search} list={known} />
  return (
    <Suspense fallback={<ListSkeleton title="Servers" />}>
      <List actor={actor} search={search} list={listServers(actor)} />
    </Suspense>
  )
}

type ListProps = { actor: Person; search: SearchParams; list: ServerList | Promise<ServerList> }

async function List({ actor, search, list }: ListProps) {
  const [{ servers, connections }, vitals] = await Promise.all([list, readVitals(actor)])
  const lines = withVitals(servers, vitalsById(vitals))
  const [rows, filled, figures] = [
    await firstRowsOf(serverCollection, lines, search),
    filledColumnsOf(serverColumns, lines),
    summarizeFigures(vitals),
  ]
  const first = { ...rows, connections, filled, figures }
  const denied = (
    <>
      <p>
        <WhoCanGrant actor={actor} otherwise="You have view-only access. A team owner, admin or operator can add the first one." />
      </p>
      {servers.length === 0 ? <AskInWords actor={actor} /> : null}
    </>
  )
  const [may, offers, views] = await Promise.all([
    findOffers(actor),
    listOffersEverywhere(actor, 'server'),
    readListViews(actor, 'servers'),
  ])
  const [mayChange, guest] = [may(contract.servers.create), actor.role === 'guest']
  return <ServersView first={first} views={views} mayChange={mayChange} guest={guest} offers={offers} denied={denied} />
}
