import { clsx } from 'clsx'
import { ListFilter } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { Button } from './button'

/** An active filter is tinted, an inactive one outlined. */
export const filterChip = (set: boolean): string =>
  clsx(
    'inline-flex h-8 touch:h-10 max-w-60 min-w-0 items-center gap-1.5 rounded-chip border px-3 text-small font-medium transition-colors duration-120',
    set ? 'border-transparent bg-accent-soft text-accent' : 'border-line bg-surface text-ink hover:border-line-strong',
  )

type FilterSheetProps = {
  /** How many filters are set. */
  active: number
  children: ReactNode
}

/**
 * Filters in line with what is around them; on a phone behind one button, in a sheet at the bottom of the window. The browser opens and
 * closes the sheet, so it works without scripts.
 */
export function FilterSheet({ active, children }: FilterSheetProps) {
  const id = useId()
  return (
    <>
      <button type="button" popoverTarget={id} className={clsx(filterChip(active > 0), 'shrink-0 tablet:hidden')}>
        <ListFilter aria-hidden size={14} strokeWidth={1.5} />
        Filter
        {active > 0 ? (
          <>
            <span aria-hidden>· {active}</span>
            <span className="sr-only">, {active} active</span>
          </>
        ) : null}
      </button>
      {/* In line it has no box, so nothing of the sheet is left there. */}
      <fieldset
        id={id}
        popover="auto"
        aria-label="Filters"
        data-filters
        className="max-tablet:fixed max-tablet:inset-x-0 max-tablet:top-auto max-tablet:bottom-0 max-tablet:m-0 max-tablet:max-h-[80dvh] max-tablet:w-full max-tablet:max-w-none max-tablet:flex-wrap max-tablet:items-start max-tablet:gap-3 max-tablet:overflow-y-auto max-tablet:rounded-t-sheet max-tablet:border-t max-tablet:border-line max-tablet:bg-surface max-tablet:p-4 max-tablet:pb-[calc(16px+env(safe-area-inset-bottom))] max-tablet:text-ink max-tablet:shadow-float max-tablet:[&:popover-open]:flex tablet:contents"
      >
        <div className="flex w-full items-center justify-between tablet:hidden">
          <span className="text-section font-strong">Filter</span>
          <Button variant="ghost" popoverTarget={id} popoverTargetAction="hide">
            Close
          </Button>
        </div>
        {children}
      </fieldset>
    </>
  )
}
