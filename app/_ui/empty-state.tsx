import type { ReactNode } from 'react'

/** Says what this page is for and what to do first. */
export function EmptyState({ title, children, actions }: { title: string; children: ReactNode; actions?: ReactNode }) {
  return (
    <div className="flex flex-col items-start gap-3 px-5 py-7">
      <h2 className="text-section font-strong">{title}</h2>
      <div className="flex max-w-[60ch] flex-col gap-1 text-muted">{children}</div>
      {actions ? <div className="flex flex-wrap gap-2 pt-1">{actions}</div> : null}
    </div>
  )
}
