import { clsx } from 'clsx'
import type { ComponentProps } from 'react'

const box =
  'w-full rounded-control border border-line-strong bg-surface px-2.5 text-body text-ink touch:text-control-touch aria-invalid:border-danger disabled:opacity-60'

/** `code` for values to paste into a shell. */
export function Input({ code, className, ...rest }: ComponentProps<'input'> & { code?: boolean }) {
  return <input className={clsx(box, 'h-8 touch:h-10', code && 'font-mono text-code', className)} {...rest} />
}

export function TextArea({ className, ...rest }: ComponentProps<'textarea'>) {
  return <textarea className={clsx(box, 'py-1.5 font-mono text-code', className)} {...rest} />
}

export function Select({ className, ...rest }: ComponentProps<'select'>) {
  return <select className={clsx(box, 'h-8 touch:h-10', className)} {...rest} />
}
