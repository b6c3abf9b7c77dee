import { clsx } from 'clsx'

/** An active filter is tinted, an inactive one outlined. */
export const filterChip = (set: boolean): string =>
  clsx(
    'inline-flex h-8 touch:h-10 max-w-60 min-w-0 items-center gap-1.5 rounded-chip border px-3 text-small font-medium transition-colors duration-120',
    set ? 'border-transparent bg-accent-soft text-accent' : 'border-line bg-surface text-ink hover:border-line-strong',
  )
