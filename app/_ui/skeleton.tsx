import { clsx } from 'clsx'

/** A box the size of what is coming; no shimmer. */
export function Skeleton({ className }: { className: string }) {
  return <span aria-hidden className={clsx('block rounded-control bg-ink/8', className)} />
}

/** Says what is being waited for, once it has taken a second. */
export function Waiting({ description }: { description: string }) {
  return (
    <p role="status" className="animate-appear-late text-small text-muted">
      {description}
    </p>
  )
}
