'use client'

import type { VitalsList } from '@/lib/portal/views/vitals/vitals'
import { portalRead } from '../reads/read-address'
import { createVersionedList } from '../reads/versioned-list'

/** The figures of all servers whose summary the user may read. Samples are taken every few minutes, so it is read once a minute. */
export const { useList: useVitals } = createVersionedList<VitalsList>({
  addressSince: (since) => portalRead('/api/servers/vitals', since === undefined ? {} : { since }),
  empty: { vitals: [] },
  without: ({ vitals }, serverId) => ({ vitals: vitals.filter(([id]) => id !== serverId) }),
  everyMs: 60_000,
})
