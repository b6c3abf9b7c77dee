import type { ReactNode } from 'react'

/** A page shown in place of the requested one. */
export function MessagePage({ title, description, action }: { title: string; description: ReactNode; action: ReactNode }) {
  return (
    <div className="flex max-w-[640px] flex-col items-start gap-3 px-4 py-[10vh] tablet:px-7">
      <h1 className="text-title font-strong tracking-[-0.015em]">{title}</h1>
      <div className="text-muted">{description}</div>
      <div className="flex flex-wrap gap-2 pt-2">{action}</div>
    </div>
  )
}
