import { clsx } from 'clsx'
import type { ComponentProps } from 'react'
import { Link } from './page-link'

/**
 * primary: one per page. danger: outlined until the confirming dialog; danger-solid there. warn-solid: confirms something reversible.
 * ghost: icons and rows.
 */
export type ButtonVariant = 'primary' | 'outline' | 'danger' | 'danger-solid' | 'warn-solid' | 'ghost'

const base =
  'inline-flex h-8 touch:h-10 shrink-0 items-center justify-center gap-2 rounded-control text-body font-semibold whitespace-nowrap transition-colors duration-120 disabled:cursor-not-allowed aria-disabled:cursor-not-allowed'

const variants: Record<ButtonVariant, string> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-hover disabled:opacity-60 aria-disabled:opacity-60',
  outline: 'border border-line bg-surface text-ink hover:border-line-strong disabled:text-muted',
  danger: 'border border-danger/50 bg-surface text-danger hover:bg-danger-bg hover:border-danger disabled:opacity-60',
  'danger-solid': 'bg-danger text-on-danger hover:bg-danger/90 disabled:bg-sunken disabled:text-muted',
  'warn-solid': 'bg-warn text-on-danger hover:bg-warn/90 disabled:bg-sunken disabled:text-muted',
  ghost: 'text-muted hover:bg-accent-soft hover:text-ink',
}

const buttonClass = (variant: ButtonVariant, icon: boolean, className?: string) =>
  clsx(base, variants[variant], icon ? 'w-8 touch:w-10' : 'px-3', className)

/** `icon`: a square that contains only an icon. */
type ButtonStyle = { variant?: ButtonVariant; icon?: boolean }

export function Button({ variant = 'outline', icon = false, className, type = 'button', ...rest }: ComponentProps<'button'> & ButtonStyle) {
  return <button type={type} className={buttonClass(variant, icon, className)} {...rest} />
}

export function ButtonLink({ variant = 'outline', icon = false, className, ...rest }: ComponentProps<typeof Link> & ButtonStyle) {
  return <Link className={buttonClass(variant, icon, className)} {...rest} />
}

/** A link to a file or to another host: never prefetched, and never opened as a page of the portal. */
export function ButtonAnchor({ variant = 'outline', icon = false, className, children, ...rest }: ComponentProps<'a'> & ButtonStyle) {
  return (
    <a className={buttonClass(variant, icon, className)} {...rest}>
      {children}
    </a>
  )
}
