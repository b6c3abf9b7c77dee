'use client'

import { formatMinutes, minutesChoices } from '@/lib/text/access-requests'
import { Field } from '../../_ui/field'
import { Input, Select } from '../../_ui/input'

/** For how long. value: minutes as the form sends them, empty for no end. */
export const MinutesField = ({ value, onChange }: { value: string; onChange: (value: string) => void }) => (
  <Field name="minutes" label="How long" hint="From the approval on.">
    {({ defaultValue: _, ...control }) => (
      <Select {...control} value={value} onChange={(event) => onChange(event.target.value)}>
        {minutesChoices.map((each) => (
          <option key={each} value={each ?? ''}>
            {capital(formatMinutes(each))}
          </option>
        ))}
      </Select>
    )}
  </Field>
)

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

export const WhyField = () => (
  <Field name="why" label="Reason">
    {(control) => <Input {...control} required maxLength={200} autoComplete="off" />}
  </Field>
)
