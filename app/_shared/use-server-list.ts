'use client'

import useSWR, { useSWRConfig } from 'swr'
import type { Problem } from '@/lib/contract/problem'
import { type Read, ReadFailure, read } from './read'
import { portalRead } from './read-address'
import type { ServerList } from './server-list'

const address = portalRead('/api/servers')
const everyMs = 15_000

/** The newest list that this page got, and its version. */
let kept: (ServerList & { version: string }) | null = null

/** Requests only changes: while there are none, the same object is returned and nothing has to be computed again. */
async function readSince(): Promise<Read<ServerList>> {
  const asked = kept
  const { data, readAt } = await read(portalRead('/api/servers', asked ? { since: asked.version } : {}))
  if (!('same' in data)) kept = data
  else if (asked) return { data: asked, readAt }
  return { data: kept ?? { servers: [], connections: [] }, readAt }
}

type ServerListState = {
  /** Null before the first answer. */
  list: ServerList | null
  /** ms since 1970 */
  readAt: number | null
  /** Why the newest read failed. */
  problem: Problem | null
}

/** All servers, refreshed every 15 s while the page is visible. */
export function useServerList(): ServerListState {
  const { data, error } = useSWR<Read<ServerList>, ReadFailure>(address, readSince, {
    refreshInterval: everyMs,
    // At the polling interval: the wait does not grow while the page is visible.
    onErrorRetry: (failure, _url, _options, revalidate, { retryCount }) => {
      setTimeout(() => void revalidate({ retryCount }), Math.max(everyMs, (failure.retryAt ?? 0) - Date.now()))
    },
    // The version makes comparing thousands of rows unnecessary.
    compare: (a, b) => a === b,
  })
  return { list: data?.data ?? null, readAt: data?.readAt ?? null, problem: error instanceof ReadFailure ? error.problem : null }
}

/** Removes a deleted server from the shown list immediately; the list is then read again. */
export function useDropServer(): (serverId: string) => void {
  const { mutate } = useSWRConfig()
  const without = ({ data, readAt }: Read<ServerList>, serverId: string): Read<ServerList> => ({
    data: { ...data, servers: data.servers.filter(({ id }) => id !== serverId) },
    readAt,
  })
  return (serverId) => void mutate<Read<ServerList>>(address, (known) => known && without(known, serverId))
}
