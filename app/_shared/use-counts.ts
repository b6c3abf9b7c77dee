'use client'

import { useEffect } from 'react'
import { useSWRConfig } from 'swr'
import type { Counts } from '@/lib/portal/views/home/counts'
import type { Read } from './read'
import { portalRead } from './read-address'

export const countsAddress = portalRead('/api/counts')

/**
 * If a page knows another number of servers (null: none yet) than the sidebar, the sidebar counts again, so they never disagree for
 * long.
 */
export function useRecount(servers: number | null): void {
  const { cache, mutate } = useSWRConfig()
  useEffect(() => {
    const shown = (cache.get(countsAddress)?.data as Read<Counts> | undefined)?.data.servers
    if (servers !== null && shown !== undefined && shown !== servers) void mutate(countsAddress)
  }, [servers, cache, mutate])
}
