'use client'

import { useState } from 'react'
import type { Role } from '@/lib/portal/identity/actor'
import { Field } from '../../_ui/field'
import { Select } from '../../_ui/input'

/** A role that the user may give. */
export type OfferedRole = { role: Role; name: string; sentence: string }

/** One of the roles that the user may give, with its sentence. */
export function RoleField({ roles, start }: { roles: readonly OfferedRole[]; start: Role }) {
  const [chosen, setChosen] = useState<string>(start)
  return (
    <Field name="role" label="Role" hint={roles.find(({ role }) => role === chosen)?.sentence}>
      {({ defaultValue: _, ...control }) => (
        <Select {...control} value={chosen} onChange={(event) => setChosen(event.target.value)}>
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
