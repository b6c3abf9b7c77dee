'use client'

import { Download, Search } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { sayState } from '../../_shared/server-state'
import { Button } from '../../_ui/button'
import { countOf, formatCount } from '../../_ui/count'
import { FilterMenu, filterChip } from '../../_ui/filter-menu'
import { type Facet, isFiltered, type ListQuery } from './list-query'
import { type FacetCounts, sayKind } from './list-rows'

type ListToolbarProps = {
  query: ListQuery
  typed: string
  onType: (text: string) => void
  onChange: (change: Partial<ListQuery>) => void
  onClear: () => void
  counts: FacetCounts
  severalServices: boolean
  /** Absent until all rows are here. */
  onCsv: (() => void) | undefined
  shown: number
  all: number
  /** Leads from the field into the list. */
  onEnterList: () => void
}

const filters: readonly { facet: Facet; name: string; say: (value: string) => string }[] = [
  { facet: 'state', name: 'State', say: sayState },
  { facet: 'kind', name: 'Provider', say: sayKind },
  { facet: 'service', name: 'Service', say: (label) => label },
  { facet: 'label', name: 'Label', say: (label) => label },
]

/** Search, filters, how many that leaves, and the list as a file. */
export function ListToolbar({ query, typed, onType, onChange, onClear, counts, severalServices, ...rest }: ListToolbarProps) {
  const { onCsv, shown, all, onEnterList } = rest
  return (
    <div className="flex flex-col gap-2.5">
      <div className="flex flex-wrap items-center gap-2">
        <SearchField value={typed} onChange={onType} onEnterList={onEnterList} />
        {filters
          .filter(({ facet }) => facet !== 'service' || severalServices || query.service.length > 0)
          .map(({ facet, name, say }) => (
            <FilterMenu
              key={facet}
              name={name}
              choices={counts[facet].map(({ value, count }) => ({ value, word: say(value), count }))}
              chosen={query[facet]}
              onChange={(chosen) => onChange({ [facet]: chosen })}
            />
          ))}
        <button
          type="button"
          aria-pressed={query.needsInstall}
          onClick={() => onChange({ needsInstall: !query.needsInstall })}
          className={filterChip(query.needsInstall)}
        >
          Needs install
        </button>
      </div>
      <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1">
        <p role="status" className="text-small text-muted">
          {isFiltered(query) ? `${formatCount(shown)} of ${countOf(all, 'server')}` : countOf(all, 'server')}
        </p>
        {isFiltered(query) || typed !== '' ? (
          <Button look="ghost" onClick={onClear}>
            Clear filters
          </Button>
        ) : null}
        <Button className="ml-auto" disabled={!onCsv || shown === 0} onClick={onCsv}>
          <Download aria-hidden size={16} strokeWidth={1.5} />
          CSV
        </Button>
      </div>
    </div>
  )
}

type SearchFieldProps = { value: string; onChange: (value: string) => void; onEnterList: () => void }

function SearchField({ value, onChange, onEnterList }: SearchFieldProps) {
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const typing = event.target instanceof HTMLElement && event.target.closest('input, textarea, select, [role=dialog], [role=menu]')
      if (event.defaultPrevented || event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || typing) return
      event.preventDefault()
      box.current?.focus()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  return (
    <div className="relative w-full tablet:w-80">
      <Search
        aria-hidden
        size={16}
        strokeWidth={1.5}
        className="pointer-events-none absolute top-1/2 left-2.5 -translate-y-1/2 text-muted"
      />
      <input
        ref={box}
        type="search"
        aria-label="Filter servers"
        placeholder="Filter by name, host, address, label"
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onChange('')
          if (event.key !== 'ArrowDown') return
          event.preventDefault()
          onEnterList()
        }}
        className="h-8 touch:h-10 w-full rounded-control border border-line-strong bg-surface pr-9 pl-8 text-body touch:text-control-touch [&::-webkit-search-cancel-button]:hidden"
      />
      <kbd
        aria-hidden
        className="pointer-events-none absolute top-1/2 right-2 -translate-y-1/2 rounded-control border border-line px-1.5 font-sans text-chip text-muted touch:hidden"
      >
        /
      </kbd>
    </div>
  )
}
