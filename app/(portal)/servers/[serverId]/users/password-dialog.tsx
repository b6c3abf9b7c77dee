'use client'

import { useState } from 'react'
import { useForeign } from '@/app/_shared/connections/foreign-service'
import { limitsOf } from '@/app/_shared/forms/field-limits'
import { SetPassword } from '@/app/_shared/passwords/set-password'
import type { AnyRead } from '@/app/_shared/reads/read-address'
import { Field } from '@/app/_ui/field'
import { Input } from '@/app/_ui/input'
import { Notice } from '@/app/_ui/notice'
import { accountName } from '@/lib/contract/fields'
import { saveSystemUser } from '../actions'

type PasswordDialogProps = {
  serverId: string
  /** '' to create a system user. */
  user: string
  known: readonly string[]
  /** The reads that show it. */
  refetch: readonly AnyRead[]
  onClose: () => void
}

/** Creates a system user, or sets a new password. */
export const PasswordDialog = ({ user, ...rest }: PasswordDialogProps) =>
  user === '' ? <AddUser {...rest} /> : <ChangePassword user={user} {...rest} />

const common = { action: saveSystemUser, field: 'pass', what: 'this user' } as const

function AddUser({ serverId, known, refetch, onClose }: Omit<PasswordDialogProps, 'user'>) {
  const [name, setName] = useState('')
  const foreign = useForeign()
  const shown = name.trim()
  return (
    <SetPassword
      {...common}
      refetch={refetch}
      onClose={onClose}
      target={{ serverId }}
      title="Add user"
      description={foreign ? 'The service adds a system user.' : 'A user who can log in over SSH and has a home folder.'}
      obstacle={
        known.includes(shown) ? (
          <Notice tone="info" title={`There is already a user ${shown}.`}>
            Set the password in the list.
          </Notice>
        ) : null
      }
      describeDone={() => ({ title: `${shown} was added` })}
    >
      <Field name="user" label="Name" hint={foreign ? undefined : 'Lower-case letters, digits, - and _, starting with a letter.'}>
        {(control) => (
          <Input {...control} {...plain} {...limitsOf(accountName)} value={name} onChange={(event) => setName(event.target.value)} />
        )}
      </Field>
    </SetPassword>
  )
}

function ChangePassword({ serverId, user, refetch, onClose }: Omit<PasswordDialogProps, 'known'>) {
  const foreign = useForeign()
  return (
    <SetPassword
      {...common}
      refetch={refetch}
      onClose={onClose}
      target={{ serverId, user }}
      description={
        foreign ? (
          `The service sets the password of ${user}.`
        ) : (
          <>
            <strong className="font-semibold text-ink wrap-anywhere">{user}</strong> logs in with the new password from now on. Open
            sessions stay logged in.
          </>
        )
      }
      describeDone={() => ({ title: `The password of ${user} was set` })}
    />
  )
}

const plain = { code: true, required: true, autoComplete: 'off', autoCapitalize: 'off', spellCheck: false } as const
