'use client'

import { ConfirmDestroy } from '@/app/_shared/dialogs/confirm-destroy'
import { StepUpField } from '@/app/_shared/session/step-up-field'
import { toast } from '@/app/_ui/toast'
import type { BackupTargetView } from '@/lib/portal/subjects/backup-targets/list'
import { removeBackupTarget } from './actions'

type RemoveTargetProps = { target: BackupTargetView; onClose: () => void; onDone: () => void }

export function RemoveTarget({ target: { id, label, holding }, onClose, onDone }: RemoveTargetProps) {
  return (
    <ConfirmDestroy
      open
      onOpenChange={onClose}
      title="Remove backup target"
      description={
        <p className="wrap-anywhere">
          {label} and its keys are removed from Gatehouse. Nothing changes in the storage; delete the keys there too.
          {holding === null ? null : ' Only the recovery kit can then read the copies there: download it first.'}
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
