'use client'

import type { ListedSite } from '@/lib/portal/subjects/sites/row'
import { downloadCsv } from '../../_shared/collection/csv'
import { siteCsv } from '../../_shared/sites/site-rows'
import { Button } from '../../_ui/button'
import { countOf, formatCount } from '../../_ui/count'
import { toast } from '../../_ui/toast'
import type { BulkBackup } from './use-bulk-backup'

type BulkActionsProps = {
  /** The selected sites, in the order of the list. */
  sites: readonly ListedSite[]
  mayChange: boolean
  backup: BulkBackup
}

/** The actions for all selected sites. */
export function BulkActions({ sites, mayChange, backup: { running, start, stop } }: BulkActionsProps) {
  const refusal = mayChange ? undefined : 'Your role does not allow backups.'
  return (
    <>
      {running ? (
        <>
          <span role="status" className="text-muted">
            {formatCount(running.ended)} of {countOf(running.of, 'site')} backed up…
          </span>
          <Button disabled={running.stopping} onClick={stop}>
            {running.stopping ? 'Stopping…' : 'Stop'}
          </Button>
        </>
      ) : (
        <Button
          aria-disabled={refusal !== undefined || undefined}
          title={refusal}
          onClick={() => (refusal === undefined ? start(sites) : toast(refusal))}
        >
          Back up
        </Button>
      )}
      <Button onClick={() => downloadCsv('sites', siteCsv, sites)}>CSV</Button>
    </>
  )
}
