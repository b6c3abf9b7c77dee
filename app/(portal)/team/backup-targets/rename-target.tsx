'use client'

import { ActionForm } from '@/app/_shared/forms/action-form'
import { Dialog, FormButtons } from '@/app/_ui/dialog'
import { Field } from '@/app/_ui/field'
import { Input } from '@/app/_ui/input'
import { toast } from '@/app/_ui/toast'
import type { BackupTargetView } from '@/lib/portal/subjects/backup-targets/list'
import { renameBackupTarget } from './actions'

type RenameTargetProps = { target: BackupTargetView; onClose: () => void; onDone: () => void }

export function RenameTarget({ target: { id, label: former }, onClose, onDone }: RenameTargetProps) {
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
