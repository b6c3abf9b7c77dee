import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { CopyButton } from './copy-button'
import { Card } from './section'

/**
 * `code`: something to paste into a shell, in monospace with a copy button. `control`: replaces the value, and is shown even without
 * one.
 */
export type Fact = { label: string; value: string; code?: boolean; control?: ReactNode }

/** Labels and values in two columns, separated by hairlines. Facts without a value are left out. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <Card>
      <dl className="divide-y divide-line">
        {facts
          .filter((fact) => fact.value !== '' || fact.control)
          .map((fact) => (
            <div key={fact.label} className="group flex min-h-[35px] items-center gap-x-4 px-4 py-1.5 max-tablet:gap-x-3">
              <dt className="w-[114px] shrink-0 text-muted max-tablet:w-24">{fact.label}</dt>
              <dd className="flex min-w-0 flex-1 items-center justify-between gap-2">
                {fact.control ?? (
                  <span className={clsx('min-w-0 break-words whitespace-pre-line', fact.code && 'font-mono text-code')}>{fact.value}</span>
                )}
                {fact.code ? (
                  <CopyButton
                    value={fact.value}
                    what={fact.label.toLowerCase()}
                    className="-my-1 opacity-0 group-hover:opacity-100 focus-visible:opacity-100 touch:opacity-100"
                  />
                ) : null}
              </dd>
            </div>
          ))}
      </dl>
    </Card>
  )
}
