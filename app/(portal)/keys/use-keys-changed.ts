'use client'

import { useRouter } from 'next/navigation'
import { useCallback } from 'react'
import { refetchReads } from '@/app/_shared/reads/use-read'
import { portalRead } from '../../_shared/reads/read-address'

/** Call this after a connection changed: refreshes this page and the list of servers. */
export function useKeysChanged(): () => void {
  const router = useRouter()
  return useCallback(() => {
    void refetchReads([portalRead('/api/servers')])
    router.refresh()
  }, [router])
}
