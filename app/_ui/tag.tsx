import { clsx } from 'clsx'

/** A short label without a state. `sandbox` must not be overlooked. */
export function Tag({ label, variant = 'plain' }: { label: string; variant?: 'plain' | 'sandbox' }) {
  return (
    <span
      className={clsx(
        'inline-flex h-5.5 items-center rounded-chip px-2 text-chip font-semibold whitespace-nowrap',
        variant === 'sandbox' ? 'bg-sandbox text-on-sandbox' : 'border border-line text-muted',
      )}
    >
      {label}
    </span>
  )
}
