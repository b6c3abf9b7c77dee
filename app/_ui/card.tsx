import { clsx } from 'clsx'
import type { ComponentProps } from 'react'

/** A card: rows inside are separated by hairlines, never by another card. */
export function Card({ className, ...rest }: ComponentProps<'div'>) {
  return <div className={clsx('rounded-sheet border border-line bg-surface', className)} {...rest} />
}
