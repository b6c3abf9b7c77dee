import { clsx } from 'clsx'
import { ChevronsUpDown } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'

const box =
  'w-full rounded-control border border-line-strong bg-surface px-2.5 text-body text-ink touch:text-control-touch aria-invalid:border-danger disabled:opacity-60'

/** `code` for values to paste into a shell. */
export function Input({ code, className, ...rest }: ComponentProps<'input'> & { code?: boolean }) {
  return <input className={clsx(box, 'h-8 touch:h-10', code && 'font-mono text-code', className)} {...rest} />
}

export function TextArea({ className, ...rest }: ComponentProps<'textarea'>) {
  return <textarea className={clsx(box, 'py-1.5 font-mono text-code', className)} {...rest} />
}

/** A native select with the chevrons of a search field. Its list is styled in globals.css, where browsers allow it. */
export function Select({ className, ...rest }: ComponentProps<'select'>) {
  return (
    <span className={clsx('relative block', className ?? 'w-full')}>
      <select className={clsx(box, 'h-8 truncate pr-8 touch:h-10')} {...rest} />
      <ChevronsUpDown
        aria-hidden
        size={14}
        strokeWidth={1.5}
        className="pointer-events-none absolute top-1/2 right-2.5 -translate-y-1/2 text-muted"
      />
    </span>
  )
}

/** For a key or secret of another service: never shown, and browsers and password managers do not offer to store it. */
export const SecretInput = (rest: ComponentProps<typeof Input>) => (
  <Input
    {...rest}
    code
    type="password"
    required
    autoComplete="off"
    autoCapitalize="off"
    spellCheck={false}
    data-1p-ignore
    data-lpignore="true"
  />
)

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
