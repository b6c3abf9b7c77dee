import type { ReactNode } from 'react'

type RadioLabelProps<Value extends string> = {
  name: string
  value: Value
  checked: boolean
  onChange: (value: Value) => void
  className: string
  inputClassName: string
  children: ReactNode
}

/** A native radio button within its label. */
export function RadioLabel<Value extends string>({
  name,
  value,
  checked,
  onChange,
  className,
  inputClassName,
  children,
}: RadioLabelProps<Value>) {
  return (
    <label className={className}>
      <input type="radio" name={name} value={value} checked={checked} onChange={() => onChange(value)} className={inputClassName} />
      {children}
    </label>
  )
}
