'use client'

import { createPassword } from '@/app/_shared/passwords/generated-password'
import { NewPasswordField } from '@/app/_shared/passwords/new-password-field'

type PasswordChoiceProps = {
  label: string
  hint: string
  /** Empty: none. */
  value: string
  onChange: (value: string) => void
  chosen: boolean
  onChoose: (chosen: boolean) => void
}

/** Whether a password is sent with an address, and which. Otherwise an empty one is sent, as the interface requires. */
export function PasswordChoice({ label, hint, value, onChange, chosen, onChoose }: PasswordChoiceProps) {
  return (
    <>
      <label className="flex items-start gap-2">
        <input
          type="checkbox"
          checked={chosen}
          onChange={(event) => {
            onChoose(event.target.checked)
            if (event.target.checked && value === '') onChange(createPassword())
          }}
          className="mt-0.5 size-4 shrink-0 accent-accent"
        />
        <span>
          {label}
          <span className="block text-small text-muted">{hint}</span>
        </span>
      </label>
      {chosen ? (
        <NewPasswordField name="password" what="this address" value={value} onChange={onChange} />
      ) : (
        <input type="hidden" name="password" value="" />
      )}
    </>
  )
}
