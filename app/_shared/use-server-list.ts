'use client'

import { portalRead } from './read-address'
import type { ServerList } from './server-list'
import { createVersionedList } from './versioned-list'

export const { useList: useServerList, useDrop: useDropServer } = createVersionedList<ServerList>({
  addressSince: (since) => portalRead('/api/servers', since === undefined ? {} : { since }),
  empty: { servers: [], connections: [] },
  without: (list, serverId) => ({ ...list, servers: list.servers.filter(({ id }) => id !== serverId) }),
})
