'use client'

import type { ConnectionView } from '@/lib/portal/subjects/connections/list'
import { ActionForm } from '../../_shared/forms/action-form'
import { Dialog, FormButtons } from '../../_ui/dialog'
import { Field } from '../../_ui/field'
import { Input } from '../../_ui/input'
import { toast } from '../../_ui/toast'
import { renameConnection } from './actions'
import { useKeysChanged } from './use-keys-changed'

export function RenameConnection({ connection, onClose }: { connection: ConnectionView; onClose: () => void }) {
  const changed = useKeysChanged()
  const done = ({ label }: { label: string }) => {
    toast(`${connection.label} was renamed to ${label}.`)
    onClose()
    changed()
  }
  return (
    <Dialog open onOpenChange={onClose} title="Rename connection" description={<p>Only the name in Gatehouse changes.</p>}>
      <ActionForm action={renameConnection} onDone={done} className="mt-4 flex flex-col gap-4">
        {(pending) => (
          <>
            <input type="hidden" name="connectionId" value={connection.id} />
            <Field name="label" label="Name">
              {(control) => <Input {...control} required maxLength={60} autoComplete="off" defaultValue={connection.label} />}
            </Field>
            <FormButtons label="Rename" busy="Renaming…" pending={pending} onCancel={onClose} />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}
