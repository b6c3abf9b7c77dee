'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { ConfirmDestroy } from '@/app/_shared/dialogs/confirm-destroy'
import { ActionForm } from '@/app/_shared/forms/action-form'
import { StepUpField } from '@/app/_shared/session/step-up-field'
import { Dialog, FormButtons } from '@/app/_ui/dialog'
import { EarlyButton } from '@/app/_ui/early-button'
import { EmptyState } from '@/app/_ui/empty-state'
import { Field } from '@/app/_ui/field'
import { Input } from '@/app/_ui/input'
import { Card, Section } from '@/app/_ui/section'
import { toast } from '@/app/_ui/toast'
import type { TargetTested } from '@/lib/portal/subjects/backup-targets/change'
import type { ServerChoice } from '@/lib/portal/subjects/backup-targets/check-from-server'
import type { BackupTargetView } from '@/lib/portal/subjects/backup-targets/list'
import { removeBackupTarget, renameBackupTarget } from './actions'
import { AddTarget, type Keeper } from './add-target'
import { RecoveryKit } from './recovery-kit'
import { ReplaceKeys } from './replace-keys'
import { menuIdOf, TargetCard, type TargetDialog } from './target-card'
import { TestFromServer } from './test-from-server'

const dialogs = { kit: RecoveryKit, rename: RenameTarget, keys: ReplaceKeys, test: TestFromServer, remove: RemoveTarget } as const

type TargetListProps = { targets: readonly BackupTargetView[]; keepers: readonly Keeper[]; servers: readonly ServerChoice[] }

/** keepers: for whom the reader may add one. servers: those that can test one. Dialogs are outside the cards, because a removed target has none. */
export function TargetList({ targets, keepers, servers }: TargetListProps) {
  const router = useRouter()
  const [adding, setAdding] = useState(false)
  const [open, setOpen] = useState<{ dialog: TargetDialog; target: BackupTargetView } | null>(null)
  const Dialog = open ? dialogs[open.dialog] : null
  const close = () => {
    setOpen(null)
    // The menu it was opened from is gone, so the focus returns to the button of that menu, if its card still exists.
    requestAnimationFrame(() => document.getElementById(menuIdOf(open?.target.id ?? ''))?.focus())
  }
  const changed = () => {
    close()
    router.refresh()
  }
  const added = ({ label, findings }: TargetTested) => {
    setAdding(false)
    toast(findings.length === 0 ? `${label} passed the test and was added.` : `${label} was added, with warnings.`)
    router.refresh()
  }
  const add = (
    <EarlyButton variant="primary" onClick={() => setAdding(true)}>
      Add target
    </EarlyButton>
  )
  return (
    <Section title="Targets" count={targets.length} aside={keepers.length === 0 ? null : add}>
      {targets.length === 0 ? (
        <Card>
          <EmptyState title="No backup targets">
            <p>
              Add a bucket of S3-compatible storage, an SFTP server, or a folder where storage is mounted. Gatehouse tests it, and adds it
              if the test succeeds.
            </p>
            {keepers.length === 0 ? <p>A team owner or admin can add one.</p> : null}
          </EmptyState>
        </Card>
      ) : (
        <ul className="flex flex-col gap-3">
          {targets.map((target) => (
            <TargetCard
              key={target.id}
              target={target}
              onOpen={(dialog) => setOpen({ dialog, target })}
              onChanged={() => router.refresh()}
            />
          ))}
        </ul>
      )}
      {Dialog && open ? <Dialog target={open.target} servers={servers} onClose={close} onDone={changed} /> : null}
      {adding ? <AddTarget keepers={keepers} servers={servers} onClose={() => setAdding(false)} onDone={added} /> : null}
    </Section>
  )
}

type RenameTargetProps = { target: BackupTargetView; onClose: () => void; onDone: () => void }

function RenameTarget({ target: { id, label: former }, onClose, onDone }: RenameTargetProps) {
  const done = ({ label }: { label: string }) => {
    toast(`${former} was renamed to ${label}.`)
    onDone()
  }
  return (
    <Dialog open onOpenChange={onClose} title="Rename backup target" description={<p>Only the name in Gatehouse changes.</p>}>
      <ActionForm action={renameBackupTarget} onDone={done} className="mt-4 flex flex-col gap-4">
        {(pending) => (
          <>
            <input type="hidden" name="targetId" value={id} />
            <Field name="label" label="Name">
              {(control) => <Input defaultValue={former} {...control} required maxLength={60} autoComplete="off" />}
            </Field>
            <FormButtons label="Rename" busy="Renaming…" pending={pending} onCancel={onClose} />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}

type RemoveTargetProps = { target: BackupTargetView; onClose: () => void; onDone: () => void }

function RemoveTarget({ target: { id, label, holding }, onClose, onDone }: RemoveTargetProps) {
  return (
    <ConfirmDestroy
      open
      onOpenChange={onClose}
      title="Remove backup target"
      description={
        <p className="wrap-anywhere">
          {label} and its keys are removed from Gatehouse. Nothing changes in the storage; delete the keys there too.
          {holding === null ? null : ' Copies there can then be read only with the recovery kit: download it first.'}
        </p>
      }
      name={label}
      action={removeBackupTarget}
      target={{ targetId: id }}
      onDone={() => {
        toast(`${label} was removed.`)
        onDone()
      }}
    >
      <StepUpField />
    </ConfirmDestroy>
  )
}
