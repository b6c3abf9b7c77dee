import { clsx } from 'clsx'
import type { ComponentProps } from 'react'

/** A piece of paper on the desk: rows inside are split by hairlines, never by another sheet. */
export function Card({ className, ...rest }: ComponentProps<'div'>) {
  return <div className={clsx('rounded-sheet border border-line bg-surface', className)} {...rest} />
}
