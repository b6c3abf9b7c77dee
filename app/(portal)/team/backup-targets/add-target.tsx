'use client'

import { ActionForm } from '@/app/_shared/forms/action-form'
import { StepUpField } from '@/app/_shared/session/step-up-field'
import { Dialog, FormButtons } from '@/app/_ui/dialog'
import { Field } from '@/app/_ui/field'
import { Input, Select } from '@/app/_ui/input'
import type { TargetTested } from '@/lib/portal/subjects/backup-targets/change'
import { addBackupTarget } from './actions'
import { KeyFields } from './key-fields'

export type Keeper = 'team' | 'own'

const keeperNames: Readonly<Record<Keeper, string>> = { team: 'The team', own: 'Only me' }

type AddTargetProps = { keepers: readonly Keeper[]; onClose: () => void; onDone: (tested: TargetTested) => void }

/** A bucket of S3-compatible storage. It is added only if the test succeeds. */
export function AddTarget({ keepers, onClose, onDone }: AddTargetProps) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Add backup target"
      description={
        <p>
          Gatehouse writes, reads, lists and deletes a small object with these keys, and adds the target if that succeeds.
          docs/backup-targets.md has a policy for each key.
        </p>
      }
    >
      <ActionForm action={addBackupTarget} onDone={onDone} className="mt-4 flex flex-col gap-4">
        {(pending) => (
          <>
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
            <Field name="endpoint" label="Address" hint="The S3 endpoint of the provider, such as https://s3.eu-central-1.amazonaws.com.">
              {(control) => <Input {...control} code required maxLength={2048} autoComplete="off" spellCheck={false} />}
            </Field>
            <Field name="region" label="Region" optional hint="us-east-1 if the provider names none.">
              {(control) => <Input {...control} code maxLength={40} autoComplete="off" autoCapitalize="off" spellCheck={false} />}
            </Field>
            <div className="grid gap-4 tablet:grid-cols-2">
              <Field name="bucket" label="Bucket" hint="Turn on versioning.">
                {(control) => (
                  <Input {...control} code required maxLength={63} autoComplete="off" autoCapitalize="off" spellCheck={false} />
                )}
              </Field>
              <Field name="folder" label="Folder" optional hint="Empty: the whole bucket.">
                {(control) => <Input {...control} code maxLength={200} autoComplete="off" autoCapitalize="off" spellCheck={false} />}
              </Field>
            </div>
            <KeyFields />
            <StepUpField />
            <FormButtons label="Test and add" busy="Testing…" pending={pending} onCancel={onClose} />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}
