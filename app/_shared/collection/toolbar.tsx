'use client'

import { Download } from 'lucide-react'
import type { ReactNode } from 'react'
import { enterRows } from '@/app/_ui/table/use-row-keys'
import { Button } from '../../_ui/button'
import { countOf, formatCount, pluralOf } from '../../_ui/count'
import { FilterMenu } from '../../_ui/filter-menu'
import { FilterSheet, filterChip } from '../../_ui/filter-sheet'
import type { TableRow } from '../../_ui/table/column'
import type { Facet } from './kind'
import { type BaseQuery, chosenOf, isOn } from './query'
import { SearchField } from './search-field'
import type { CollectionState } from './use-collection'

type ToolbarProps<Row extends TableRow, Q extends BaseQuery> = {
  collection: CollectionState<Row, Q>
  /** The facets to offer, of those that the kind has. */
  facets: readonly Facet<Row>[]
  /** Undefined if there is no CSV export; null until all rows are loaded. */
  onCsv: (() => void) | null | undefined
  /** Offers a button that selects all matching rows. */
  selectsAll: boolean
  tools?: ReactNode
}

/** Search, filters, how many rows match, and the actions for all of them. */
export function Toolbar<Row extends TableRow, Q extends BaseQuery>({ collection, facets, onCsv, selectsAll, tools }: ToolbarProps<Row, Q>) {
  const { kind, query, typed, type, change, clear, counts, figures, selection } = collection
  const filtered = kind.query.isFiltered(query)
  const selectAll = selection.all === 'all' ? 'Select none' : filtered ? 'Select all matching' : 'Select all'
  return (
    <div className="flex flex-col gap-2.5">
      <div className="flex flex-wrap items-center gap-2">
        <SearchField
          label={`Filter ${pluralOf(kind.noun)}`}
          placeholder={kind.searchHint ?? ''}
          value={typed}
          onChange={type}
          onEnterList={enterRows}
        />
        {facets.length + kind.flags.length > 0 ? (
          <FilterSheet active={countActive(query, facets, kind.flags)}>
            {facets.map(({ id, label, format }) => (
              <FilterMenu
                key={id}
                name={label}
                choices={(counts[id] ?? []).map(({ value, count }) => ({ value, label: format(value), count }))}
                chosen={chosenOf(query, id)}
                onChange={(chosen) => change(set(query, id, chosen))}
              />
            ))}
            {kind.flags.map(({ id, label }) => (
              <button
                key={id}
                type="button"
                aria-pressed={isOn(query, id)}
                onClick={() => change(set(query, id, !isOn(query, id)))}
                className={filterChip(isOn(query, id))}
              >
                {label}
              </button>
            ))}
          </FilterSheet>
        ) : null}
      </div>
      <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1">
        <p role="status" className="text-small text-muted">
          {filtered ? `${formatCount(figures.shown)} of ${countOf(figures.all, kind.noun)}` : countOf(figures.all, kind.noun)}
        </p>
        {filtered || typed !== '' ? (
          <Button variant="ghost" onClick={clear}>
            Clear filters
          </Button>
        ) : null}
        <span className="ml-auto flex flex-wrap justify-end gap-2">
          {tools}
          {selectsAll ? (
            <Button disabled={figures.shown === 0} onClick={selection.toggleAll}>
              {selectAll}
            </Button>
          ) : null}
          {onCsv === undefined ? null : (
            <Button disabled={!onCsv || figures.shown === 0} onClick={onCsv ?? undefined}>
              <Download aria-hidden size={16} strokeWidth={1.5} />
              CSV
            </Button>
          )}
        </span>
      </div>
    </div>
  )
}

const countActive = (query: BaseQuery, facets: readonly { id: string }[], flags: readonly { id: string }[]): number =>
  facets.filter(({ id }) => chosenOf(query, id).length > 0).length + flags.filter(({ id }) => isOn(query, id)).length

const set = <Q extends BaseQuery>(query: Q, name: string, value: boolean | readonly string[]): Q => ({ ...query, [name]: value })
