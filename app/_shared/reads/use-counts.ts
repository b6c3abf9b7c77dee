'use client'

import { useEffect } from 'react'
import { useSWRConfig } from 'swr'
import type { Counts } from '@/lib/portal/views/home/counts'
import type { Read } from './read'
import { portalRead } from './read-address'

export const countsAddress = portalRead('/api/counts')

/**
 * If a page knows another number of servers or sites (null: none yet) than the sidebar, the sidebar counts again, so they never disagree
 * for long.
 */
export function useRecount(counted: 'servers' | 'sites', figure: number | null): void {
  const { cache, mutate } = useSWRConfig()
  useEffect(() => {
    const shown = (cache.get(countsAddress)?.data as Read<Counts> | undefined)?.data[counted]
    if (figure !== null && shown !== undefined && shown !== figure) void mutate(countsAddress)
  }, [counted, figure, cache, mutate])
}
