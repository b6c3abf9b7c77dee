'use client'

import { type FirstSites, SiteList } from '../../_shared/sites/site-list'
import { lazyComponent } from '../../_ui/lazy'

const BulkActions = lazyComponent(() => import('./bulk-actions').then((file) => file.BulkActions))

/** The sites of all servers, and what can be done with several of them. */
export function SitesView({ first, mayChange }: { first: FirstSites; mayChange: boolean }) {
  return <SiteList first={first} mayChange={mayChange} bulk={(selected) => <BulkActions sites={selected} mayChange={mayChange} />} />
}
