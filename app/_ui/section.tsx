import { clsx } from 'clsx'
import { type ComponentProps, type ReactNode, useId } from 'react'
import { formatCount } from './count'

type SectionProps = {
  title: string
  /** How many rows there are, where all of them are listed. Not shown for none. */
  count?: number
  aside?: ReactNode
  /** The part of an address that leads here. */
  anchor?: string
  children: ReactNode
}

/** A titled part of a page. */
export function Section({ title, count = 0, aside, anchor, children }: SectionProps) {
  const id = useId()
  return (
    <section id={anchor} aria-labelledby={id} className="flex scroll-mt-20 min-w-0 flex-col gap-2.5">
      <div className="flex items-baseline justify-between gap-4">
        <div className="flex items-baseline gap-2">
          <h2 id={id} className="text-section font-strong">
            {title}
          </h2>
          {count > 0 ? <span className="text-small text-muted">{formatCount(count)}</span> : null}
        </div>
        {aside}
      </div>
      {children}
    </section>
  )
}

/** A card: rows inside are separated by hairlines, never by another card. */
export function Card({ className, ...rest }: ComponentProps<'div'>) {
  return <div className={clsx('rounded-sheet border border-line bg-surface', className)} {...rest} />
}
