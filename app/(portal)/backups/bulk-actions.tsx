'use client'

import { useState } from 'react'
import type { OperationId } from '@/lib/contract/index'
import type { BatchOffer } from '@/lib/portal/batches/offers'
import type { BackupLine } from '@/lib/portal/views/backups/line'
import { toReadableDomain } from '@/lib/text/idn'
import { formatNames } from '@/lib/text/names'
import { BatchDialog } from '../../_shared/batches/batch-dialog'
import { formatDenied, type MayAt, splitByAccess } from '../../_shared/batches/left-out'
import { UnreadActions } from '../../_shared/batches/unread-actions'
import { useBatchOffers } from '../../_shared/batches/use-batch-offers'
import { downloadCsv } from '../../_shared/collection/csv'
import { Button } from '../../_ui/button'
import { OfferedButton } from '../../_ui/early-button'
import { Field } from '../../_ui/field'
import { Select } from '../../_ui/input'
import { backupCsv } from './backup-lines'

export type Target = { id: string; label: string }

type BulkActionsProps = {
  /** The selected sites, in the order of the list. */
  lines: readonly BackupLine[]
  /** Where the reader may have copies stored. */
  targets: readonly Target[]
  /** See useBatchOffers. */
  offers: BatchOffer[] | null
}

const [backUp, makeCopy, prove] = ['backups.create', 'copies.make', 'copies.prove'] as const satisfies readonly OperationId[]

/** The actions for all selected sites. */
export function BulkActions({ lines, targets, offers }: BulkActionsProps) {
  const known = useBatchOffers('site', offers)
  return (
    <>
      {known.mayAt ? <Batches lines={lines} targets={targets} mayAt={known.mayAt} /> : null}
      <UnreadActions offers={known} />
      <Button onClick={() => downloadCsv('backups', backupCsv, lines)}>CSV</Button>
    </>
  )
}

const nameOf = ({ domain }: Pick<BackupLine, 'domain'>): string => toReadableDomain(domain)

type BatchesProps = Omit<BulkActionsProps, 'offers'> & { mayAt: MayAt }

/** Each runs where it is possible and the member may; the dialog names the other sites. */
function Batches({ lines, targets, mayAt }: BatchesProps) {
  const [chosen, setChosen] = useState<'backup' | 'copy' | null>(null)
  const [target, setTarget] = useState(targets[0]?.id ?? '')
  const present = lines.filter(({ of, gone }) => of === 'site' && !gone)
  const copyable = present.filter(({ extensions, backupAt }) => extensions && backupAt !== 'none')
  const backup = splitByAccess('site', present, { mayAt, operation: backUp, nameOf })
  const copy = splitByAccess('site', copyable, { mayAt, operation: makeCopy, nameOf })
  const onOpenChange = (open: boolean) => (open ? undefined : setChosen(null))
  const why = refuseCopy(copyable, copy.allowed, targets)
  return (
    <>
      <OfferedButton
        refusal={present.length === 0 ? noSite : backup.allowed.length === 0 ? formatDenied('site') : undefined}
        onClick={() => setChosen('backup')}
      >
        Back up
      </OfferedButton>
      <OfferedButton refusal={present.length === 0 ? noSite : why} onClick={() => setChosen('copy')}>
        Copy
      </OfferedButton>
      <Prove lines={lines} present={present} mayAt={mayAt} />
      <BatchDialog
        open={chosen === 'backup'}
        onOpenChange={onOpenChange}
        noun="site"
        operation={backUp}
        title="Back up %"
        description={[formatDeleted(lines), backup.said].join(' ').trim()}
        ids={backup.allowed.map(({ id }) => id)}
      />
      <BatchDialog
        open={chosen === 'copy'}
        onOpenChange={onOpenChange}
        noun="site"
        operation={makeCopy}
        title="Copy the newest backup of %"
        description={[formatDeleted(lines), formatUncopied(present, copyable), copy.said].filter(Boolean).join(' ')}
        fields={{ targetId: target }}
        ids={copy.allowed.map(({ id }) => id)}
      >
        <Field name="target" label="Backup target">
          {(control) => (
            <Select {...control} value={target} onChange={(event) => setTarget(event.target.value)}>
              {targets.map(({ id, label }) => (
                <option key={id} value={id}>
                  {label}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </BatchDialog>
    </>
  )
}

type ProveProps = { lines: readonly BackupLine[]; present: readonly BackupLine[]; mayAt: MayAt }

/** present: those of the lines that were not deleted. */
function Prove({ lines, present, mayAt }: ProveProps) {
  const [open, setOpen] = useState(false)
  const copied = present.filter(({ extensions, copies }) => extensions && (copies?.length ?? 0) > 0)
  const { allowed, said } = splitByAccess('site', copied, { mayAt, operation: prove, nameOf })
  const left = lines.filter((line) => !copied.includes(line))
  return (
    <>
      <OfferedButton
        refusal={copied.length === 0 ? uncopied : allowed.length === 0 ? formatDenied('site') : undefined}
        onClick={() => setOpen(true)}
      >
        Prove
      </OfferedButton>
      <BatchDialog
        open={open}
        onOpenChange={setOpen}
        noun="site"
        operation={prove}
        title="Prove the newest copy of %"
        description={[formatLeftOut(left, 'without a copy that can be proven'), said].filter(Boolean).join(' ')}
        ids={allowed.map(({ id }) => id)}
      />
    </>
  )
}

const uncopied = 'None of the selected sites has a copy that its service can prove.'
const noSite = 'Select sites that were not deleted. Copies of deleted sites can be read with the recovery kit.'

function refuseCopy(copyable: readonly BackupLine[], allowed: readonly BackupLine[], targets: readonly Target[]): string | undefined {
  if (targets.length === 0) return 'There is no backup target that you can use. See Team → Backup targets.'
  if (copyable.length === 0) return 'None of the selected sites has a backup that its service can copy. Back up first.'
  return allowed.length === 0 ? formatDenied('site') : undefined
}

const formatDeleted = (lines: readonly BackupLine[]): string =>
  [
    formatLeftOut(
      lines.filter(({ gone }) => gone),
      'deleted',
    ),
    formatLeftOut(
      lines.filter(({ of, gone }) => of === 'server' && !gone),
      'a server backs itself up every night, and its page Backups copies that',
    ),
  ]
    .filter(Boolean)
    .join(' ')

const formatUncopied = (present: readonly BackupLine[], copyable: readonly BackupLine[]): string =>
  formatLeftOut(
    present.filter((line) => !copyable.includes(line)),
    'without a backup that can be copied',
  )

function formatLeftOut(lines: readonly BackupLine[], why: string): string {
  if (lines.length === 0) return ''
  return `${formatNames(lines.map(nameOf))} ${lines.length === 1 ? 'is' : 'are'} left out: ${why}.`
}
