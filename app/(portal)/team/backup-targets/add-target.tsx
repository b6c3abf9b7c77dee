'use client'

import { useState } from 'react'
import { ActionForm } from '@/app/_shared/forms/action-form'
import { StepUpField } from '@/app/_shared/session/step-up-field'
import { Dialog, FormButtons } from '@/app/_ui/dialog'
import { Field } from '@/app/_ui/field'
import { Input, Select } from '@/app/_ui/input'
import type { TargetKind } from '@/lib/portal/subjects/backup-targets/address'
import type { TargetTested } from '@/lib/portal/subjects/backup-targets/change'
import type { ServerChoice } from '@/lib/portal/subjects/backup-targets/check-from-server'
import { addBackupTarget } from './actions'
import { AddressFields } from './address-fields'
import { HostKeyField } from './host-key-field'
import { KeyFields } from './key-fields'
import { ServerField } from './server-field'

export type Keeper = 'team' | 'own'

const keeperNames: Readonly<Record<Keeper, string>> = { team: 'The team', own: 'Only me' }

const kindNames: Readonly<Record<TargetKind, string>> = {
  s3: 'S3-compatible storage',
  sftp: 'SFTP server',
  folder: 'Mounted folder',
}

const descriptions: Readonly<Record<TargetKind, string>> = {
  s3: 'Gatehouse writes, reads, lists and deletes a small object with these keys, and adds the target if that succeeds. docs/backup-targets.md has a policy for each key.',
  sftp: 'A server that you choose tests the server key, the machine that runs the service tests the maintenance key, and Gatehouse adds the target if both succeed. docs/backup-targets.md says how to create the user.',
  folder:
    'A server that you choose writes, reads, lists and deletes a small file, and Gatehouse adds the target if that succeeds. Storage has to be mounted in the same folder of each server that is copied there. A server deletes its own old copies there, and whoever breaks into a server can delete all that the folder has.',
}

type AddTargetProps = {
  keepers: readonly Keeper[]
  servers: readonly ServerChoice[]
  onClose: () => void
  onDone: (tested: TargetTested) => void
}

/** A target of any kind. It is added only if the test succeeds. servers: those that can test one. */
export function AddTarget({ keepers, servers, onClose, onDone }: AddTargetProps) {
  const [kind, setKind] = useState<TargetKind>('s3')
  const [shown, setShown] = useState<TargetTested['hostKey']>()
  const choose = (next: TargetKind) => {
    setKind(next)
    setShown(undefined)
  }
  const done = (tested: TargetTested) => (tested.hostKey ? setShown(tested.hostKey) : onDone(tested))
  return (
    <Dialog open onOpenChange={onClose} title="Add backup target" description={<p>{descriptions[kind]}</p>}>
      <ActionForm action={addBackupTarget} onDone={done} className="mt-4 flex flex-col gap-4">
        {(pending) => (
          <>
            <Field name="kind" label="Kind">
              {(control) => (
                <Select {...control} value={kind} onChange={({ target }) => choose(target.value as TargetKind)}>
                  {Object.entries(kindNames).map(([value, name]) => (
                    <option key={value} value={value}>
                      {name}
                    </option>
                  ))}
                </Select>
              )}
            </Field>
            <Field name="label" label="Name">
              {(control) => <Input {...control} required maxLength={60} autoComplete="off" />}
            </Field>
            <Field name="keeper" label="Owner">
              {(control) => (
                <Select {...control}>
                  {keepers.map((keeper) => (
                    <option key={keeper} value={keeper}>
                      {keeperNames[keeper]}
                    </option>
                  ))}
                </Select>
              )}
            </Field>
            <AddressFields kind={kind} onChange={() => setShown(undefined)} />
            {kind === 's3' ? null : <ServerField servers={servers} />}
            <KeyFields kind={kind} />
            <HostKeyField shown={shown} />
            <StepUpField />
            <FormButtons label={shown ? 'Confirm and add' : 'Test and add'} busy="Testing…" pending={pending} onCancel={onClose} />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}
