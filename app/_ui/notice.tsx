import { clsx } from 'clsx'
import type { ReactNode } from 'react'

const tints = {
  info: 'bg-accent-soft text-ink',
  ok: 'bg-ok-bg text-ok',
  warn: 'bg-warn-bg text-warn',
  danger: 'bg-danger-bg text-danger',
} as const

type NoticeProps = {
  tone: keyof typeof tints
  title: ReactNode
  children?: ReactNode
  action?: ReactNode
  alert?: boolean
  className?: string
}

/** One important sentence, its details, and what to do. `alert` if it is the answer to a click. */
export function Notice({ tone, title, children, action, alert, className }: NoticeProps) {
  return (
    <div
      {...(alert ? { role: 'alert' } : {})}
      className={clsx('flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-sheet px-3.5 py-2.5', tints[tone], className)}
    >
      <div className="flex min-w-0 flex-1 basis-64 flex-col gap-0.5">
        <p className="font-semibold">{title}</p>
        {children ? <div className="text-small text-ink">{children}</div> : null}
      </div>
      {action}
    </div>
  )
}
