import { clsx } from 'clsx'

/** The gate, the product's logo. */
export function Mark({ className }: { className: string }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 32 32" className={clsx('shrink-0', className)}>
      <rect width="32" height="32" rx="9" className="fill-accent" />
      <path d="M9 24V14a7 7 0 0 1 14 0v10h-4V14a3 3 0 0 0-6 0v10z" className="fill-on-accent" />
    </svg>
  )
}
