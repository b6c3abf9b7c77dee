'use client'

import { useRouter } from 'next/navigation'
import { useCallback } from 'react'
import { useSWRConfig } from 'swr'

/** To be called once something about a connection changed: this page and the list of servers are read anew. */
export function useKeysChanged(): () => void {
  const router = useRouter()
  const { mutate } = useSWRConfig()
  return useCallback(() => {
    void mutate('/api/servers')
    router.refresh()
  }, [router, mutate])
}
