'use client'

import { useRouter } from 'next/navigation'
import type { AnyActionResult } from '@/app/_shared/forms/call-action'
import { read } from '@/app/_shared/reads/read'
import { portalRead } from '@/app/_shared/reads/read-address'

/** Handles the answer to a change of what the list shows of a server: if the outcome is unknown, the list is read to find out. */
export function useSettledRow(): (answer: AnyActionResult) => Promise<void> {
  const router = useRouter()
  return async (answer) => {
    if (answer.ok || answer.problem.code !== 'outcome_unknown') return
    // If the list cannot be read either, its own page says so, and the next list settles it.
    await read(portalRead('/api/servers')).catch(() => undefined)
    router.refresh()
  }
}
