'use client'

import { clsx } from 'clsx'
import { ChevronDown, X } from 'lucide-react'
import { formatCount } from './count'
import { filterChip } from './filter-sheet'
import { MenuCheck } from './menu'
import { MenuFrame } from './menu-frame'

type FilterMenuProps = {
  name: string
  choices: readonly { value: string; label: string; count: number }[]
  chosen: readonly string[]
  onChange: (chosen: readonly string[]) => void
}

/** A filter by any of several values. It stays open while choosing; the cross clears all of them. */
export function FilterMenu({ name, choices, chosen, onChange }: FilterMenuProps) {
  const labelOf = (value: string) => choices.find((choice) => choice.value === value)?.label ?? value
  const set = chosen.length > 0
  const trigger = (
    <button type="button" className={clsx(filterChip(set), set && 'pr-9')}>
      <span className="truncate">{set ? `${name}: ${chosen.map(labelOf).join(', ')}` : name}</span>
      {set ? null : <ChevronDown aria-hidden size={14} strokeWidth={1.5} />}
    </button>
  )
  return (
    <span className="relative inline-flex">
      <MenuFrame trigger={trigger} className="max-h-80 overflow-y-auto">
        <FilterChoices choices={choices} chosen={chosen} onChange={onChange} />
      </MenuFrame>
      {set ? (
        <button
          type="button"
          aria-label={`Clear the filter ${name}`}
          onClick={() => onChange([])}
          className="absolute top-1/2 right-1.5 inline-flex size-6 -translate-y-1/2 items-center justify-center rounded-chip text-accent hover:bg-surface"
        >
          <X aria-hidden size={14} strokeWidth={2} />
        </button>
      ) : null}
    </span>
  )
}

function FilterChoices({ choices, chosen, onChange }: Omit<FilterMenuProps, 'name'>) {
  const gone = chosen.filter((value) => !choices.some((choice) => choice.value === value))
  const all = [...choices, ...gone.map((value) => ({ value, label: value, count: 0 }))]
  if (all.length === 0) return <div className="px-2.5 py-1.5 text-small text-muted">No labels yet</div>
  return all.map(({ value, label, count }) => (
    <MenuCheck
      key={value}
      checked={chosen.includes(value)}
      onChange={(on) => onChange(on ? [...chosen, value] : chosen.filter((other) => other !== value))}
    >
      <span className="max-w-60 truncate">{label}</span>
      <span className="ml-auto pl-4 text-small text-muted">{formatCount(count)}</span>
    </MenuCheck>
  ))
}
