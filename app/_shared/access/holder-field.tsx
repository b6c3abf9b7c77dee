'use client'

import { Field } from '../../_ui/field'
import { SearchSelect } from '../../_ui/search-select'
import type { HolderChoice } from './draft'

type HolderFieldProps = { label: string; holders: readonly HolderChoice[]; value: string; onChange: (value: string) => void }

/** To whom something is given; not shown where there is only one. */
export function HolderField({ label, holders, value, onChange }: HolderFieldProps) {
  const [only, ...more] = holders
  if (only && more.length === 0) return <input type="hidden" name="to" value={only.value} />
  return (
    <Field name="to" label={label}>
      {({ defaultValue: _, ...control }) => (
        <SearchSelect
          {...control}
          choices={holders.map((holder) => ({ value: holder.value, label: holder.name }))}
          value={value}
          onChange={onChange}
        />
      )}
    </Field>
  )
}
