import { Plus } from 'lucide-react'
import type { Metadata } from 'next'
import { Suspense } from 'react'
import { ListSkeleton } from '@/app/_shared/collection/collection-skeleton'
import { contract } from '@/lib/contract'
import { findOffers } from '@/lib/portal/access/decide'
import { listOffersEverywhere } from '@/lib/portal/batches/offers'
import { type Person, requireActor } from '@/lib/portal/identity/actor'
import { readListViews } from '@/lib/portal/identity/list-views'
import { findKnownSites, type SiteList as KnownSites, listSites } from '@/lib/portal/subjects/sites/list'
import { WhoCanGrant } from '../../_shared/access/who-can-grant'
import { AskInWords } from '../../_shared/access-requests/ask-here'
import { firstRowsOf, type SearchParams } from '../../_shared/collection/first-rows'
import { siteCollection } from '../../_shared/sites/site-rows'
import { ButtonLink } from '../../_ui/button'
import { PageBody, PageHead } from '../../_ui/page-head'
import { SitesView } from './sites-view'

export const metadata: Metadata = { title: 'Sites' }

/** Shows immediately what is known; the page then lists from the services, which may take time. */
export default async function SitesPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const [actor, search] = await Promise.all([requireActor(), searchParams])
  const known = await findKnownSites(actor)
  if (known) return <List actor={actor} search={search} list={known} />
  return (
    <Suspense fallback={<ListSkeleton title="Sites" />}>
      <List actor={actor} search={search} list={listSites(actor)} />
    </Suspense>
  )
}

type ListProps = { actor: Person; search: SearchParams; list: KnownSites | Promise<KnownSites> }

async function List({ actor, search, list }: ListProps) {
  const { sites, connections } = await list
  const [may, offers, views] = await Promise.all([findOffers(actor), listOffersEverywhere(actor, 'site'), readListViews(actor, 'sites')])
  const mayChange = may(contract.sites.create)
  const first = { ...(await firstRowsOf(siteCollection, sites, search)), connections }
  const denied = (
    <>
      <p>
        <WhoCanGrant actor={actor} otherwise="You have view-only access. A team owner, admin or operator can add the first one." />
      </p>
      {sites.length === 0 ? <AskInWords actor={actor} /> : null}
    </>
  )
  const add = (
    <ButtonLink href="/sites/new" variant="primary">
      <Plus aria-hidden size={16} strokeWidth={1.5} />
      Add site
    </ButtonLink>
  )
  return (
    <>
      <PageHead wide title="Sites" actions={mayChange ? add : null} />
      <PageBody wide>
        <SitesView first={first} views={views} mayChange={mayChange} offers={offers} denied={denied} />
      </PageBody>
    </>
  )
}
