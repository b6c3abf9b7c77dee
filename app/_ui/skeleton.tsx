import { clsx } from 'clsx'

/** A box the size of the coming content; no shimmer. */
export function Skeleton({ className }: { className: string }) {
  return <span aria-hidden className={clsx('block rounded-control bg-ink/8', className)} />
}

/** Says what is being loaded, once that has taken a second. */
export function Waiting({ description }: { description: string }) {
  return (
    <p role="status" className="animate-appear-late text-small text-muted">
      {description}
    </p>
  )
}
