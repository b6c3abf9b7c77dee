'use client'

import { ActionForm } from '@/app/_shared/forms/action-form'
import { Dialog, FormButtons } from '@/app/_ui/dialog'
import { toast } from '@/app/_ui/toast'
import type { TargetTested } from '@/lib/portal/subjects/backup-targets/change'
import type { ServerChoice } from '@/lib/portal/subjects/backup-targets/check-from-server'
import type { BackupTargetView } from '@/lib/portal/subjects/backup-targets/list'
import { testBackupTarget } from './actions'
import { ServerField } from './server-field'

type TestFromServerProps = { target: BackupTargetView; servers: readonly ServerChoice[]; onClose: () => void; onDone: () => void }

/** Tests a target again, from a server that the reader chooses. */
export function TestFromServer({ target: { id, label, access }, servers, onClose, onDone }: TestFromServerProps) {
  const done = (tested: TargetTested & { problem: string }) => {
    toast(outcomeOf(label, tested))
    onDone()
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Test from a server"
      description={<p className="wrap-anywhere">{describeTest({ label, access })}</p>}
    >
      <ActionForm action={testBackupTarget} onDone={done} className="mt-4 flex flex-col gap-4">
        {(pending) => (
          <>
            <input type="hidden" name="targetId" value={id} />
            <ServerField servers={servers} />
            <FormButtons label="Test target" busy="Testing…" pending={pending} onCancel={onClose} />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}

/** By rclone, the server cannot remove what it adds. */
export const describeTest = ({ label, access }: Pick<BackupTargetView, 'label' | 'access'>): string =>
  access === 'rclone'
    ? `The server adds a small test copy to ${label} and tries to delete it. Then the machine that runs the service tests the maintenance key and removes the test copy.`
    : `The server writes, reads, lists and deletes a small file in ${label}.`

export function outcomeOf(label: string, { problem, findings }: TargetTested & { problem: string }): string {
  if (problem !== '') return `${label} failed the test.`
  return `${label} passed the test${findings.length === 0 ? '.' : ', with warnings.'}`
}
