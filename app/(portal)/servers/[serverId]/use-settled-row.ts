'use client'

import { useRouter } from 'next/navigation'
import type { AnyActionResult } from '../../../_shared/call-action'
import { read } from '../../../_shared/read'
import { portalRead } from '../../../_shared/read-address'

/** For the answer to a change of what the list says of a server: where its outcome is unknown, the list is asked what became of it. */
export function useSettledRow(): (answer: AnyActionResult) => Promise<void> {
  const router = useRouter()
  return async (answer) => {
    if (answer.ok || answer.problem.code !== 'outcome_unknown') return
    // Where the list cannot be had either, its own page says so, and the next one tells.
    await read(portalRead('/api/servers')).catch(() => undefined)
    router.refresh()
  }
}
