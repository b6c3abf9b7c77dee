'use client'

import type { SiteList } from '@/lib/portal/subjects/sites/list'
import { portalRead } from '../reads/read-address'
import { createVersionedList } from '../reads/versioned-list'

export const { useList: useSiteList } = createVersionedList<SiteList>({
  addressSince: (since) => portalRead('/api/sites', since === undefined ? {} : { since }),
  empty: { sites: [], connections: [] },
  without: (list, siteId) => ({ ...list, sites: list.sites.filter(({ id }) => id !== siteId) }),
})
