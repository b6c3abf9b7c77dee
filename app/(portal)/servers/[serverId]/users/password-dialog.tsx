'use client'

import { useState } from 'react'
import { accountName } from '@/lib/contract/fields'
import { ActionForm } from '../../../../_shared/action-form'
import { limitsOf } from '../../../../_shared/field-limits'
import { useForeign } from '../../../../_shared/foreign-service'
import { createPassword } from '../../../../_shared/generated-password'
import { NewPasswordField } from '../../../../_shared/new-password-field'
import type { AnyRead } from '../../../../_shared/read-address'
import { ShownPassword } from '../../../../_shared/shown-password'
import { Button } from '../../../../_ui/button'
import { Dialog, DialogActions } from '../../../../_ui/dialog'
import { Field } from '../../../../_ui/field'
import { Input } from '../../../../_ui/input'
import { Notice } from '../../../../_ui/notice'
import { saveSystemUser } from './actions'

type PasswordDialogProps = {
  serverId: string
  /** '' to create a system user. */
  user: string
  known: readonly string[]
  /** The reads that show it. */
  refetch: readonly AnyRead[]
  onClose: () => void
}

/** Creates a system user, or sets a new password; then shows that password once. */
export function PasswordDialog({ serverId, user, known, refetch, onClose }: PasswordDialogProps) {
  const [name, setName] = useState(user)
  const [pass, setPass] = useState(createPassword)
  const [saved, setSaved] = useState(false)
  const foreign = useForeign()
  const isNew = user === ''
  const taken = isNew && known.includes(name.trim())
  if (saved) {
    const shown = name.trim()
    return <ShownPassword title={isNew ? `${shown} was added` : `The password of ${shown} was set`} value={pass} onClose={onClose} />
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={isNew ? 'Add user' : 'Set password'}
      description={
        foreign ? (
          `The service ${isNew ? 'adds a system user' : `sets the password of ${user}`}.`
        ) : isNew ? (
          'A user who can log in over SSH and has a home folder.'
        ) : (
          <>
            <strong className="font-semibold text-ink wrap-anywhere">{user}</strong> logs in with the new password from now on. Open
            sessions stay logged in.
          </>
        )
      }
    >
      <ActionForm action={saveSystemUser} refetch={refetch} onDone={() => setSaved(true)} className="mt-4 flex flex-col gap-4">
        {(pending) => (
          <>
            <input type="hidden" name="serverId" value={serverId} />
            {isNew ? <NameField name={name} onChange={setName} /> : <input type="hidden" name="user" value={user} />}
            <NewPasswordField name="pass" what="this user" value={pass} onChange={setPass} />
            {taken && !pending ? (
              <Notice tone="info" title={`There is already a user ${name.trim()}.`}>
                Set the password in the list.
              </Notice>
            ) : null}
            <DialogActions>
              <Button onClick={onClose}>Cancel</Button>
              <Button type="submit" variant="primary" disabled={pending || taken}>
                {pending ? 'Saving…' : isNew ? 'Add user' : 'Set password'}
              </Button>
            </DialogActions>
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}

const plain = { code: true, required: true, autoComplete: 'off', autoCapitalize: 'off', spellCheck: false } as const

const NameField = ({ name, onChange }: { name: string; onChange: (value: string) => void }) => (
  <Field name="user" label="Name" hint={useForeign() ? undefined : 'Lower-case letters, digits, - and _, starting with a letter.'}>
    {(control) => (
      <Input {...control} {...plain} {...limitsOf(accountName)} value={name} onChange={(event) => onChange(event.target.value)} />
    )}
  </Field>
)
