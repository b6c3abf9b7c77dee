'use client'

import { useRouter } from 'next/navigation'
import { read } from '../../../_shared/read'
import { portalRead } from '../../../_shared/read-address'

/** For a change to what the list says of a server: where its outcome is unknown, the list is asked what became of it. */
export function useSettledRow(): () => Promise<void> {
  const router = useRouter()
  return async () => {
    // Where the list cannot be had either, its own page says so, and the next one tells.
    await read(portalRead('/api/servers')).catch(() => undefined)
    router.refresh()
  }
}
