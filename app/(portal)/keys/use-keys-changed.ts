'use client'

import { useRouter } from 'next/navigation'
import { useCallback } from 'react'
import { portalRead } from '../../_shared/reads/read-address'
import { refetchReads } from '../../_shared/reads/refetch-reads'

/** Call this after a connection changed: refreshes this page and the list of servers. */
export function useKeysChanged(): () => void {
  const router = useRouter()
  return useCallback(() => {
    void refetchReads([portalRead('/api/servers')])
    router.refresh()
  }, [router])
}
