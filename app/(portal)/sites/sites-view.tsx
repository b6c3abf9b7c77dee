'use client'

import type { ReactNode } from 'react'
import type { BatchOffer } from '@/lib/portal/batches/offers'
import type { ListViews } from '@/lib/portal/identity/list-views'
import { type FirstSites, SiteList } from '../../_shared/sites/site-list'
import { lazyComponent } from '../../_ui/lazy'

const BulkActions = lazyComponent(() => import('./bulk-actions').then((file) => file.BulkActions))

type SitesViewProps = { first: FirstSites; views: ListViews; mayChange: boolean; offers: BatchOffer[] | null; denied: ReactNode }

/** The sites of all servers, and what can be done with several of them. offers: see useBatchOffers. */
export function SitesView({ offers, ...props }: SitesViewProps) {
  return <SiteList {...props} bulk={(selected, labels) => <BulkActions sites={selected} known={labels} offers={offers} />} />
}
