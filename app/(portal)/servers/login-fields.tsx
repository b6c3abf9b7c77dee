'use client'

import { useState } from 'react'
import { host, loginName, port } from '@/lib/contract/fields'
import { limitsOf } from '../../_shared/forms/field-limits'
import { Field } from '../../_ui/field'
import { Input, TextArea } from '../../_ui/input'

const linkButton = '-my-1 inline-flex min-h-6 items-center rounded-control text-small text-accent underline hover:text-accent-hover'

type Foreign = {
  /** The service announces no extensions, so how it uses a login is unknown. */
  foreign: boolean
}

/** The server's address and the credential for the first login. */
export function LoginFields({ foreign }: Foreign) {
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)_96px] gap-4">
        <Field name="host" label="Server address" hint="Host name or IP address, such as 203.0.113.24.">
          {(control) => <Input {...control} {...limitsOf(host)} code required autoComplete="off" autoCapitalize="off" spellCheck={false} />}
        </Field>
        <Field name="port" label="Port">
          {(control) => <Input {...control} {...limitsOf(port)} code required defaultValue="22" />}
        </Field>
      </div>
      <div className="grid gap-4 tablet:grid-cols-2">
        <UserField foreign={foreign} />
        <PassField foreign={foreign} />
      </div>
    </>
  )
}

/** The system user for the first login. */
export const UserField = ({ foreign }: Foreign) => (
  <Field name="user" label="User" hint={foreign ? 'The user the service logs in as.' : 'root, or a user with sudo.'}>
    {(control) => (
      <Input
        {...control}
        {...limitsOf(loginName)}
        code
        required
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        defaultValue="root"
      />
    )}
  </Field>
)

/** Both methods keep their values when the user switches between them; only the visible one is sent. */
export function PassField({ foreign }: Foreign) {
  const [withKey, setWithKey] = useState(false)
  const swap = (
    <button type="button" className={linkButton} onClick={() => setWithKey(!withKey)}>
      {withKey ? 'Use a password' : 'Use a private key'}
    </button>
  )
  const hint = foreign ? 'Sent to the service. Gatehouse does not keep it.' : 'Used once to add the SSH key of Gatehouse, then discarded.'
  return (
    <>
      <Field name="pass" label="Password" aside={swap} hint={hint} className={withKey ? 'hidden' : ''}>
        {(control) => <Input {...control} type="password" required autoComplete="off" disabled={withKey} />}
      </Field>
      <Field name="pass" label="Private key" aside={swap} hint={hint} className={withKey ? 'tablet:col-span-2' : 'hidden'}>
        {(control) => (
          <TextArea
            {...control}
            required
            disabled={!withKey}
            rows={7}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            placeholder="-----BEGIN OPENSSH PRIVATE KEY-----"
          />
        )}
      </Field>
    </>
  )
}
