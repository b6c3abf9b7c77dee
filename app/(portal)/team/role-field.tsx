'use client'

import { useState } from 'react'
import type { Role } from '@/lib/portal/identity/actor'
import { Field } from '../../_ui/field'
import { Select } from '../../_ui/input'

/** A role that the user may give. */
export type OfferedRole = { role: Role; name: string; sentence: string }

type RoleFieldProps = { roles: readonly OfferedRole[]; start: Role; onChange?: (role: string) => void }

/** One of the roles that the user may give, with its sentence. */
export function RoleField({ roles, start, onChange }: RoleFieldProps) {
  const [chosen, setChosen] = useState<string>(start)
  const choose = (role: string) => {
    setChosen(role)
    onChange?.(role)
  }
  return (
    <Field name="role" label="Role" hint={roles.find(({ role }) => role === chosen)?.sentence}>
      {({ defaultValue: _, ...control }) => (
        <Select {...control} value={chosen} onChange={(event) => choose(event.target.value)}>
          {roles.map(({ role, name }) => (
            <option key={role} value={role}>
              {name}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}
