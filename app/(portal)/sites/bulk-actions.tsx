'use client'

import { useState } from 'react'
import type { ListedSite } from '@/lib/portal/subjects/sites/row'
import { downloadCsv } from '../../_shared/collection/csv'
import { siteCsv } from '../../_shared/sites/site-rows'
import { Button } from '../../_ui/button'
import { countOf, formatCount } from '../../_ui/count'
import { toast } from '../../_ui/toast'
import { backUpEach, formatFailures } from './back-up-each'

type BulkActionsProps = {
  /** The selected sites, in the order of the list. */
  sites: readonly ListedSite[]
  mayChange: boolean
}

/** The actions for all selected sites. */
export function BulkActions({ sites, mayChange }: BulkActionsProps) {
  // How many are over; null if none is being made.
  const [ended, setEnded] = useState<{ count: number; of: number } | null>(null)
  const refusal = mayChange ? undefined : 'Your role does not allow backups.'

  // It goes on if the list is left. What came of it is told wherever the member is then.
  async function backUp(): Promise<void> {
    const of = sites.length
    setEnded({ count: 0, of })
    toast(`Backing up ${countOf(of, 'site')}${of === 1 ? '' : ', one after another'}. Keep this tab open.`)
    const failed = await backUpEach(sites, (count) => setEnded({ count, of }))
    setEnded(null)
    if (failed.length > 0) toast.error(formatFailures(failed, of))
    else toast(`${countOf(of, 'site')} ${of === 1 ? 'was' : 'were'} backed up.`)
  }

  return (
    <>
      <Button
        disabled={ended !== null}
        aria-disabled={refusal !== undefined || undefined}
        title={refusal}
        onClick={() => (refusal === undefined ? void backUp() : toast(refusal))}
      >
        {ended === null ? 'Back up' : `${formatCount(ended.count)} of ${countOf(ended.of, 'site')} backed up…`}
      </Button>
      <Button onClick={() => downloadCsv('sites', siteCsv, sites)}>CSV</Button>
    </>
  )
}
