'use client'

import { useEffect, useState } from 'react'
import type { OperationId } from '@/lib/contract/index'
import type { BatchOffer } from '@/lib/portal/batches/offers'
import type { ListedSite } from '@/lib/portal/subjects/sites/row'
import { toReadableDomain } from '@/lib/text/idn'
import { BatchDialog } from '../../_shared/batches/batch-dialog'
import { formatDenied, type MayAt, splitByAccess } from '../../_shared/batches/left-out'
import { UnreadActions } from '../../_shared/batches/unread-actions'
import { useBatchOffers } from '../../_shared/batches/use-batch-offers'
import { downloadCsv } from '../../_shared/collection/csv'
import { LabelActions } from '../../_shared/labels/label-actions'
import { useOperation } from '../../_shared/reads/use-read'
import { siteCsv } from '../../_shared/sites/site-rows'
import { Button } from '../../_ui/button'
import { formatCount } from '../../_ui/count'
import { OfferedButton } from '../../_ui/early-button'
import { Field } from '../../_ui/field'
import { Input, Select } from '../../_ui/input'

type BulkActionsProps = {
  /** The selected sites, in the order of the list. */
  sites: readonly ListedSite[]
  /** Labels that sites of the team have already. */
  known: readonly string[]
  /** See useBatchOffers. */
  offers: BatchOffer[] | null
}

const choices = [
  { id: 'backup', label: 'Back up', operation: 'backups.create' },
  { id: 'app', label: 'Install app', operation: 'apps.install' },
  { id: 'delete', label: 'Delete', operation: 'sites.delete' },
] as const satisfies readonly { id: string; label: string; operation: OperationId }[]

const nameOf = ({ domain }: ListedSite): string => toReadableDomain(domain)

/** The actions for all selected sites. */
export function BulkActions({ sites, known, offers }: BulkActionsProps) {
  const read = useBatchOffers('site', offers)
  const { mayAt } = read
  return (
    <>
      {mayAt ? <LabelActions noun="site" rows={sites} nameOf={nameOf} known={known} mayAt={mayAt} /> : null}
      {mayAt ? <Batches sites={sites} mayAt={mayAt} /> : null}
      <UnreadActions offers={read} />
      <Button onClick={() => downloadCsv('sites', siteCsv, sites)}>CSV</Button>
    </>
  )
}

/** Each on those sites where the member may; the others are named before. */
function Batches({ sites, mayAt }: { sites: readonly ListedSite[]; mayAt: MayAt }) {
  const [chosen, setChosen] = useState<(typeof choices)[number]['id'] | null>(null)
  const [app, setApp] = useState('')
  const onOpenChange = (open: boolean) => (open ? undefined : setChosen(null))
  const partOf = (operation: string) => splitByAccess('site', sites, { mayAt, operation, nameOf })
  const dialogOf = ({ id, operation }: (typeof choices)[number], description = '') => {
    const { allowed, said } = partOf(operation)
    const common = { noun: 'site', onOpenChange, open: chosen === id, operation, description: `${said} ${description}`.trim() } as const
    return { ...common, ids: allowed.map((site) => site.id) }
  }
  const [backup, install, deletion] = choices
  const [first] = partOf(install.operation).allowed
  return (
    <>
      {choices.map(({ id, label, operation }) => {
        const refusal = partOf(operation).allowed.length === 0 ? formatDenied('site') : undefined
        return (
          <OfferedButton key={id} refusal={refusal} onClick={() => setChosen(id)}>
            {label}
          </OfferedButton>
        )
      })}
      <BatchDialog {...dialogOf(backup)} title="Back up %" />
      <BatchDialog
        {...dialogOf(install, 'The app is installed only on empty sites. Its sign-in details are shown once, on the page of each job.')}
        title="Install an app on %"
        fields={{ app }}
      >
        {first ? <AppField siteId={first.id} value={app} onChange={setApp} /> : null}
      </BatchDialog>
      <BatchDialog {...dialogOf(deletion, describeDeletion(partOf(deletion.operation).allowed))} title="Delete %" confirms />
    </>
  )
}

/** What a batch says before it deletes sites. */
const undecided = 'decides what happens to their files and databases. This cannot be undone.'

/** extensions: whether the site's service announces them. What another service deletes is unknown. */
export function describeDeletion(sites: readonly { extensions: boolean }[]): string {
  const foreign = sites.filter(({ extensions }) => !extensions).length
  if (foreign === sites.length) return `The sites are removed from the service, which ${undecided}`
  const deleted = 'The sites, their databases, email and backups are deleted. A last backup of each is made first, and stays on its server.'
  if (foreign === 0) return deleted
  return `${deleted} For ${formatCount(foreign)} of them this does not hold: their service ${undecided}`
}

type AppFieldProps = {
  /** A site whose service is asked for its apps. */
  siteId: string
  value: string
  onChange: (app: string) => void
}

/** Which app to install: one that the service offers, or its name if the service does not say which apps it has. */
function AppField({ siteId, value, onChange }: AppFieldProps) {
  const { data, problem } = useOperation('apps.get', { siteId }, { everyMs: 60_000 })
  const offered = data?.item[0]?.catalogue
  const first = offered?.[0]?.app
  const known = offered?.some(({ app }) => app === value) ?? true
  useEffect(() => {
    if (first !== undefined && !known) onChange(first)
  }, [first, known, onChange])
  if (data === null && problem === null) {
    return (
      <Field name="app" label="App">
        {(control) => (
          <Select {...control} required>
            <option value="">Reading the apps…</option>
          </Select>
        )}
      </Field>
    )
  }
  if (!offered || first === undefined) {
    return (
      <Field name="app" label="App" hint="Its name, such as wordpress.">
        {(control) => <Input {...control} code required value={value} onChange={(event) => onChange(event.target.value)} />}
      </Field>
    )
  }
  return (
    <Field name="app" label="App">
      {(control) => (
        <Select {...control} value={value} onChange={(event) => onChange(event.target.value)}>
          {offered.map(({ app, title, version }) => (
            <option key={app} value={app}>
              {title} {version}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}
