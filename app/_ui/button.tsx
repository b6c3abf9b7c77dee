import { clsx } from 'clsx'
import Link from 'next/link'
import type { ComponentProps } from 'react'

/** primary: one per page. danger: outlined until the dialog that asks; danger-solid there. ghost: icons and rows. */
export type ButtonLook = 'primary' | 'outline' | 'danger' | 'danger-solid' | 'ghost'

const base =
  'inline-flex h-8 touch:h-10 shrink-0 items-center justify-center gap-2 rounded-control px-3 text-body font-semibold whitespace-nowrap transition-colors duration-120 disabled:cursor-not-allowed aria-disabled:cursor-not-allowed'

const looks: Record<ButtonLook, string> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-hover disabled:opacity-60 aria-disabled:opacity-60',
  outline: 'border border-line bg-surface text-ink hover:border-line-strong disabled:text-muted',
  danger: 'border border-danger/50 bg-surface text-danger hover:bg-danger-bg hover:border-danger disabled:opacity-60',
  'danger-solid': 'bg-danger text-on-danger hover:bg-danger/90 disabled:bg-sunken disabled:text-muted',
  ghost: 'text-muted hover:bg-accent-soft hover:text-ink',
}

/** The classes alone, for things that have to be another element. */
export const buttonClass = (look: ButtonLook, className?: string) => clsx(base, looks[look], className)

export function Button({ look = 'outline', className, type = 'button', ...rest }: ComponentProps<'button'> & { look?: ButtonLook }) {
  return <button type={type} className={buttonClass(look, className)} {...rest} />
}

export function ButtonLink({ look = 'outline', className, ...rest }: ComponentProps<typeof Link> & { look?: ButtonLook }) {
  return <Link className={buttonClass(look, className)} {...rest} />
}
