import { type ReactNode, useId } from 'react'
import { Select } from '../_ui/input'

/** The fields of a filter that is a plain GET form. */
export const optionsOf = (words: Readonly<Record<string, string>>): ReactNode =>
  Object.entries(words).map(([value, label]) => (
    <option key={value} value={value}>
      {label}
    </option>
  ))

type ChoiceProps = { name: string; label: string; value: string | null; all: string; children: ReactNode }

export function Choice({ name, label, value, all, children }: ChoiceProps) {
  return (
    <Labelled label={label} className="w-40">
      {(id) => (
        <Select id={id} name={name} defaultValue={value ?? ''}>
          <option value="">{all}</option>
          {children}
        </Select>
      )}
    </Labelled>
  )
}

export function Labelled({ label, className, children }: { label: string; className: string; children: (id: string) => ReactNode }) {
  const id = useId()
  return (
    <div className={`flex flex-col gap-1 max-tablet:w-[calc(50%-6px)] ${className}`}>
      <label htmlFor={id} className="text-small font-semibold">
        {label}
      </label>
      {children(id)}
    </div>
  )
}
