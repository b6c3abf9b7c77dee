'use client'

import { useRef, useState } from 'react'
import type { ListedSite } from '@/lib/portal/subjects/sites/row'
import { countOf } from '../../_ui/count'
import { toast } from '../../_ui/toast'
import { backUpEach, formatBackedUp } from './back-up-each'

export type BulkBackup = {
  /** How many of the sites are over; null if none is being backed up. */
  running: { ended: number; of: number; stopping: boolean } | null
  start: (sites: readonly ListedSite[]) => void
  /** The present backup still ends. */
  stop: () => void
}

/** Backs up several sites. It continues if the member leaves the page; a toast then tells the outcome. */
export function useBulkBackup(): BulkBackup {
  const [running, setRunning] = useState<BulkBackup['running']>(null)
  const stopper = useRef<AbortController | null>(null)

  async function start(sites: readonly ListedSite[]): Promise<void> {
    const of = sites.length
    stopper.current = new AbortController()
    setRunning({ ended: 0, of, stopping: false })
    toast(`Backing up ${countOf(of, 'site')}${of === 1 ? '' : ', one after another'}. Keep this tab open.`)
    const outcome = await backUpEach(sites, stopper.current.signal, (ended) => setRunning((now) => now && { ...now, ended }))
    setRunning(null)
    if (outcome.failed.length > 0) toast.error(formatBackedUp(outcome))
    else toast(formatBackedUp(outcome))
  }

  return {
    running,
    start: (sites) => void start(sites),
    stop() {
      stopper.current?.abort()
      setRunning((now) => now && { ...now, stopping: true })
    },
  }
}
