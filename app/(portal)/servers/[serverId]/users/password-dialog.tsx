'use client'

import { type FormEvent, useState } from 'react'
import { accountName, accountPassword } from '@/lib/contract/fields'
import { ActionForm } from '../../../../_shared/action-form'
import { limitsOf } from '../../../../_shared/field-limits'
import { useForeign } from '../../../../_shared/foreign-service'
import type { AnyRead } from '../../../../_shared/read-address'
import { Button } from '../../../../_ui/button'
import { CopyButton } from '../../../../_ui/copy-button'
import { Dialog, DialogActions } from '../../../../_ui/dialog'
import { Field } from '../../../../_ui/field'
import { Input } from '../../../../_ui/input'
import { Notice } from '../../../../_ui/notice'
import { saveSystemUser } from './actions'
import { createPassword } from './generated-password'

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
  if (saved) return <Shown user={name.trim()} pass={pass} isNew={isNew} onClose={onClose} />
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
            <PassField pass={pass} onChange={setPass} />
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

type TextFieldProps = { onChange: (value: string) => void }

const textOf = (event: FormEvent<HTMLInputElement>) => event.currentTarget.value

const NameField = ({ name, onChange }: TextFieldProps & { name: string }) => (
  <Field name="user" label="Name" hint={useForeign() ? undefined : 'Lower-case letters, digits, - and _, starting with a letter.'}>
    {(control) => <Input {...control} {...plain} {...limitsOf(accountName)} value={name} onChange={(event) => onChange(textOf(event))} />}
  </Field>
)

const PassField = ({ pass, onChange }: TextFieldProps & { pass: string }) => (
  <Field
    name="pass"
    label="Password"
    hint={`Generated for this user. You can enter another one with at least ${accountPassword.minLength} characters.`}
    aside={
      <button
        type="button"
        onClick={() => onChange(createPassword())}
        className="-my-1 inline-flex min-h-6 items-center rounded-control text-small text-accent underline hover:text-accent-hover"
      >
        Generate another
      </button>
    }
  >
    {(control) => (
      <Input {...control} {...plain} {...limitsOf(accountPassword)} value={pass} onChange={(event) => onChange(textOf(event))} />
    )}
  </Field>
)

function Shown({ user, pass, isNew, onClose }: { user: string; pass: string; isNew: boolean; onClose: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={isNew ? `${user} was added` : `The password of ${user} was set`}
      description="Copy the password now: it isn’t stored and won’t be shown again."
    >
      <p className="mt-4 mb-6 flex items-center justify-between gap-2 rounded-control bg-sunken py-1.5 pr-1.5 pl-3">
        <code className="min-w-0 font-mono text-code break-all">{pass}</code>
        <CopyButton value={pass} what="the password" />
      </p>
      <DialogActions>
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  )
}
