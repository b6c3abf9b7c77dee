'use client'

import { useState } from 'react'
import { ActionForm } from '@/app/_shared/forms/action-form'
import { StepUpField } from '@/app/_shared/session/step-up-field'
import { Dialog, FormButtons } from '@/app/_ui/dialog'
import { toast } from '@/app/_ui/toast'
import type { TargetTested } from '@/lib/portal/subjects/backup-targets/change'
import type { ServerChoice } from '@/lib/portal/subjects/backup-targets/check-from-server'
import type { BackupTargetView } from '@/lib/portal/subjects/backup-targets/list'
import { AccessField } from './access-field'
import { replaceBackupTargetKeys } from './actions'
import { HostKeyField } from './host-key-field'
import { KeyFields } from './key-fields'
import { ServerField } from './server-field'

type ReplaceKeysProps = { target: BackupTargetView; servers: readonly ServerChoice[]; onClose: () => void; onDone: () => void }

/** Also uses a frozen target again; a folder has no keys, so that it is only tested. */
export function ReplaceKeys({ target: { id, label, kind, access, folder }, servers, onClose, onDone }: ReplaceKeysProps) {
  const [shown, setShown] = useState<TargetTested['hostKey']>()
  const title = kind === 'folder' ? 'Use again' : 'Replace keys'
  const done = ({ findings, hostKey }: TargetTested) => {
    if (hostKey) return setShown(hostKey)
    const what = kind === 'folder' ? 'is used again' : 'has new keys'
    toast(findings.length === 0 ? `${label} ${what}.` : `${label} ${what}, with warnings.`)
    onDone()
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={title}
      description={
        <p className="wrap-anywhere">
          {kind === 'folder'
            ? `${label} is tested first.`
            : `The new keys of ${label} are tested first. If the test fails, the old ones stay.`}
        </p>
      }
    >
      <ActionForm action={replaceBackupTargetKeys} onDone={done} className="mt-4 flex flex-col gap-4">
        {(pending) => (
          <>
            <input type="hidden" name="targetId" value={id} />
            {kind === 's3' ? null : <ServerField servers={servers} />}
            {access === null ? null : <AccessField former={access} folder={folder} />}
            <KeyFields kind={kind} />
            <HostKeyField shown={shown} />
            <StepUpField />
            <FormButtons label={shown ? 'Confirm host key' : title} busy="Testing…" pending={pending} onCancel={onClose} />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}
