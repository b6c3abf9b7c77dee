import type { ReactNode } from 'react'

type RadioProps<Value extends string> = {
  name: string
  value: Value
  /** The value of the selected one. */
  chosen: Value
  onChange: (value: Value) => void
  className: string
  inputClass: string
  children: ReactNode
}

/** A native radio button with its label, all of which can be clicked. */
export function Radio<Value extends string>({ name, chosen, onChange, value, className, inputClass, children }: RadioProps<Value>) {
  return (
    <label className={className}>
      <input type="radio" name={name} value={value} checked={value === chosen} onChange={() => onChange(value)} className={inputClass} />
      {children}
    </label>
  )
}
