'use client'

import type { ConnectionRow, ListedServer } from '@/lib/portal/subjects/servers/list'
import { portalRead } from '../reads/read-address'
import { createVersionedList } from '../reads/versioned-list'

/** The answer of /api/servers. order: the digest that figures read by position refer to; '' once a server was removed from the list. */
export type ServerList = { servers: ListedServer[]; connections: ConnectionRow[]; order: string }

export const { useList: useServerList, useDrop: useDropServer } = createVersionedList<ServerList>({
  addressSince: (since) => portalRead('/api/servers', since === undefined ? {} : { since }),
  empty: { servers: [], connections: [], order: '' },
  without: (list, serverId) => ({ ...list, order: '', servers: list.servers.filter(({ id }) => id !== serverId) }),
})
