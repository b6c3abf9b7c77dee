'use client'

import { useMemo, useState } from 'react'
import { backups } from '@/lib/contract/operations/backups'
import type { ListedSite } from '@/lib/portal/subjects/sites/row'
import { BatchDialog } from '../../_shared/batches/batch-dialog'
import { downloadCsv } from '../../_shared/collection/csv'
import { siteCsv } from '../../_shared/sites/site-rows'
import { Button } from '../../_ui/button'
import { toast } from '../../_ui/toast'

type BulkActionsProps = {
  /** The selected sites, in the order of the list. */
  sites: readonly ListedSite[]
  mayChange: boolean
}

/** The actions for all selected sites. */
export function BulkActions({ sites, mayChange }: BulkActionsProps) {
  const [backingUp, setBackingUp] = useState(false)
  const ids = useMemo(() => sites.map(({ id }) => id), [sites])
  const refusal = mayChange ? undefined : 'Your role does not allow backups.'
  return (
    <>
      <Button
        aria-disabled={refusal !== undefined || undefined}
        title={refusal}
        onClick={() => (refusal === undefined ? setBackingUp(true) : toast(refusal))}
      >
        Back up
      </Button>
      <Button onClick={() => downloadCsv('sites', siteCsv, sites)}>CSV</Button>
      <BatchDialog open={backingUp} onOpenChange={setBackingUp} operation={backups.create.id} title="Back up %" noun="site" ids={ids} />
    </>
  )
}
