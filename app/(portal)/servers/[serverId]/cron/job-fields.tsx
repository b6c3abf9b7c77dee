'use client'

import { useForeign } from '@/app/_shared/connections/foreign-service'
import { Field } from '@/app/_ui/field'
import { Input, TextArea } from '@/app/_ui/input'
import { toReadableDomain } from '@/lib/text/idn'
import type { Account } from './accounts'

type JobFieldProps = { value: string; onChange: (value: string) => void }

/** The command. Enter submits the form, because a command has only one line. */
export function CommandField({ value, onChange }: JobFieldProps) {
  return (
    <Field name="command" label="Command" hint={useForeign() ? 'One line.' : 'One line, run by the user’s shell. % is escaped for you.'}>
      {(control) => (
        <TextArea
          {...control}
          required
          rows={2}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
            event.preventDefault()
            event.currentTarget.form?.requestSubmit()
          }}
        />
      )}
    </Field>
  )
}

/** Whose crontab it goes into. `known`: as suggestions. */
export function AccountField({ value, onChange, known }: JobFieldProps & { known: readonly Account[] }) {
  return (
    <Field name="user" label="User" hint="The system user that runs it.">
      {(control) => (
        <>
          <Input
            {...control}
            code
            required
            list={`${control.id}-known`}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
          <datalist id={`${control.id}-known`}>
            {known.map(({ user, domain }) => (
              <option key={user} value={user} label={domain === '' ? user : `${user} (${toReadableDomain(domain)})`} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  )
}
