'use client'

import { ActionForm } from '@/app/_shared/forms/action-form'
import { StartButton } from '@/app/_shared/forms/start-button'
import { Dialog, FormButtons } from '@/app/_ui/dialog'
import { Field } from '@/app/_ui/field'
import { Input } from '@/app/_ui/input'
import { saveFile, toFileName } from '@/app/_ui/save-file'
import { toast } from '@/app/_ui/toast'
import type { BackupTargetView } from '@/lib/portal/subjects/backup-targets/list'
import { confirmKit, downloadKit } from './actions'
import { describeKit } from './kit-words'

type RecoveryKitProps = { target: BackupTargetView; onClose: () => void; onDone: () => void }

/** Downloads the kit as a text to print, and asks for its code, so that nobody confirms a kit that they don't have. */
export function RecoveryKit({ target: { id, label, kind, access }, onClose, onDone }: RecoveryKitProps) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Recovery kit"
      description={<p className="wrap-anywhere">{describeKit({ kind, access, label })}</p>}
    >
      <div className="mt-4 flex flex-col gap-4">
        <div>
          <StartButton action={downloadKit} target={{ targetId: id }} label="Download kit" onDone={save} />
        </div>
        <ActionForm
          action={confirmKit}
          onDone={() => {
            toast(`The copies in ${label} are safe.`)
            onDone()
          }}
          className="flex flex-col gap-4"
        >
          {(pending) => (
            <>
              <input type="hidden" name="targetId" value={id} />
              <Field name="code" label="Confirmation code" hint="In the third line of the kit.">
                {(control) => <Input {...control} required maxLength={9} autoComplete="off" />}
              </Field>
              <FormButtons label="Confirm kit" busy="Confirming…" pending={pending} onCancel={onClose} />
            </>
          )}
        </ActionForm>
      </div>
    </Dialog>
  )
}

const save = ({ label, text }: { label: string; text: string }): void =>
  saveFile(`recovery-kit-${toFileName(label)}-${new Date().toISOString().slice(0, 10)}.txt`, 'text/plain', text)
