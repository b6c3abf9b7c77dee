'use client'

import { useMemo, useState } from 'react'
import { apps } from '@/lib/contract/operations/apps'
import { backups } from '@/lib/contract/operations/backups'
import { sites as siteOperations } from '@/lib/contract/operations/sites'
import type { ListedSite } from '@/lib/portal/subjects/sites/row'
import { BatchDialog } from '../../_shared/batches/batch-dialog'
import { downloadCsv } from '../../_shared/collection/csv'
import { siteCsv } from '../../_shared/sites/site-rows'
import { Button } from '../../_ui/button'
import { toast } from '../../_ui/toast'
import { AppField } from './app-field'
import { describeDeletion } from './describe-deletion'

type BulkActionsProps = {
  /** The selected sites, in the order of the list. */
  sites: readonly ListedSite[]
  mayChange: boolean
}

const choices = [
  { id: 'backup', label: 'Back up' },
  { id: 'app', label: 'Install app' },
  { id: 'delete', label: 'Delete' },
] as const

/** The actions for all selected sites. */
export function BulkActions({ sites, mayChange }: BulkActionsProps) {
  const [chosen, setChosen] = useState<(typeof choices)[number]['id'] | null>(null)
  const [app, setApp] = useState('')
  const ids = useMemo(() => sites.map(({ id }) => id), [sites])
  const refusal = mayChange ? undefined : 'Your role does not allow changes to sites.'
  const dialog = { ids, noun: 'site', onOpenChange: (open: boolean) => (open ? undefined : setChosen(null)) } as const
  return (
    <>
      {choices.map(({ id, label }) => (
        <Button
          key={id}
          aria-disabled={refusal !== undefined || undefined}
          title={refusal}
          onClick={() => (refusal === undefined ? setChosen(id) : toast(refusal))}
        >
          {label}
        </Button>
      ))}
      <Button onClick={() => downloadCsv('sites', siteCsv, sites)}>CSV</Button>
      <BatchDialog {...dialog} open={chosen === 'backup'} operation={backups.create.id} title="Back up %" />
      <BatchDialog
        {...dialog}
        open={chosen === 'app'}
        operation={apps.install.id}
        title="Install an app on %"
        description="The app is installed only on empty sites. Its sign-in details are shown once, on the page of each job."
        fields={{ app }}
      >
        {sites[0] ? <AppField siteId={sites[0].id} value={app} onChange={setApp} /> : null}
      </BatchDialog>
      <BatchDialog
        {...dialog}
        open={chosen === 'delete'}
        operation={siteOperations.delete.id}
        title="Delete %"
        description={describeDeletion(sites)}
        confirms
      />
    </>
  )
}
