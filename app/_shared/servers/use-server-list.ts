'use client'

import type { ConnectionRow, ListedServer } from '@/lib/portal/subjects/servers/list'
import { portalRead } from '../reads/read-address'
import { createVersionedList } from '../reads/versioned-list'

/** The answer of /api/servers. */
export type ServerList = { servers: ListedServer[]; connections: ConnectionRow[] }

export const { useList: useServerList, useDrop: useDropServer } = createVersionedList<ServerList>({
  addressSince: (since) => portalRead('/api/servers', since === undefined ? {} : { since }),
  empty: { servers: [], connections: [] },
  without: (list, serverId) => ({ ...list, servers: list.servers.filter(({ id }) => id !== serverId) }),
})
