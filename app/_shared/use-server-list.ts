'use client'

import useSWR, { useSWRConfig } from 'swr'
import type { Problem } from '@/lib/contract/problem'
import { type Read, ReadFailure, read } from './read'
import { portalRead } from './read-address'
import type { ServerList } from './server-list'

const address = portalRead('/api/servers')
const everyMs = 15_000

/** The newest list this page got, and its version. */
let kept: (ServerList & { version: string }) | null = null

/** Asks only for what is new: while nothing is, the very same object comes back and nothing has to be worked out again. */
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

/** All servers, kept fresh every 15 s while somebody looks. */
export function useServerList(): ServerListState {
  const { data, error } = useSWR<Read<ServerList>, ReadFailure>(address, readSince, {
    refreshInterval: everyMs,
    // In step with the polling: the wait does not grow while somebody looks.
    onErrorRetry: (failure, _url, _options, revalidate, { retryCount }) => {
      setTimeout(() => void revalidate({ retryCount }), Math.max(everyMs, (failure.retryAt ?? 0) - Date.now()))
    },
    // Comparing thousands of rows member by member is what the version spares us.
    compare: (a, b) => a === b,
  })
  return { list: data?.data ?? null, readAt: data?.readAt ?? null, problem: error instanceof ReadFailure ? error.problem : null }
}

/** Takes a deleted server out of the list that is shown, at once; the list is then asked for anew. */
export function useDropServer(): (serverId: string) => void {
  const { mutate } = useSWRConfig()
  const without = ({ data, readAt }: Read<ServerList>, serverId: string): Read<ServerList> => ({
    data: { ...data, servers: data.servers.filter(({ id }) => id !== serverId) },
    readAt,
  })
  return (serverId) => void mutate<Read<ServerList>>(address, (known) => known && without(known, serverId))
}
