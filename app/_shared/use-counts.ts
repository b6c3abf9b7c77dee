'use client'

import { useEffect } from 'react'
import { useSWRConfig } from 'swr'
import type { Counts } from '@/lib/portal/views/home/counts'
import type { Read } from './read'

export const countsAddress = '/api/counts'

/** A page that knows another number of servers (null: none yet) than the sidebar has the sidebar count again: they never disagree for long. */
export function useRecount(servers: number | null): void {
  const { cache, mutate } = useSWRConfig()
  useEffect(() => {
    const shown = (cache.get(countsAddress)?.data as Read<Counts> | undefined)?.data.servers
    if (servers !== null && shown !== undefined && shown !== servers) void mutate(countsAddress)
  }, [servers, cache, mutate])
}
