'use client'

import { ActionForm } from '@/app/_shared/forms/action-form'
import { StepUpField } from '@/app/_shared/session/step-up-field'
import { Dialog, FormButtons } from '@/app/_ui/dialog'
import { toast } from '@/app/_ui/toast'
import type { TargetTested } from '@/lib/portal/subjects/backup-targets/change'
import type { BackupTargetView } from '@/lib/portal/subjects/backup-targets/list'
import { replaceBackupTargetKeys } from './actions'
import { KeyFields } from './key-fields'

type ReplaceKeysProps = { target: BackupTargetView; onClose: () => void; onDone: () => void }

export function ReplaceKeys({ target: { id, label }, onClose, onDone }: ReplaceKeysProps) {
  const done = ({ findings }: TargetTested) => {
    toast(findings.length === 0 ? `${label} has new keys.` : `${label} has new keys, and warnings.`)
    onDone()
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Replace keys"
      description={<p className="wrap-anywhere">The new keys of {label} are tested first. If the test fails, the old ones stay.</p>}
    >
      <ActionForm action={replaceBackupTargetKeys} onDone={done} className="mt-4 flex flex-col gap-4">
        {(pending) => (
          <>
            <input type="hidden" name="targetId" value={id} />
            <KeyFields />
            <StepUpField />
            <FormButtons label="Replace keys" busy="Testing…" pending={pending} onCancel={onClose} />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}
