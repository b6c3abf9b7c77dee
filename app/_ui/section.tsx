import { type ReactNode, useId } from 'react'

/** A titled part of a page. */
export function Section({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="flex min-w-0 flex-col gap-2.5">
      <div className="flex items-baseline justify-between gap-4">
        <h2 id={id} className="text-section font-strong">
          {title}
        </h2>
        {aside}
      </div>
      {children}
    </section>
  )
}
