'use client'

import { type ReactNode, useMemo, useRef } from 'react'
import { Card } from '@/app/_ui/section'
import { formatCount } from '../../_ui/count'
import { defineQuery } from './query'
import { SearchField } from './search-field'
import { useQuery } from './use-query'

type SearchedRowsProps<Row> = {
  rows: readonly Row[]
  /** What is searched, for the field's label: "Filter members". */
  noun: string
  placeholder: string
  /** Everything of a row that can be searched. */
  textOf: (row: Row) => string
  /** The table of the rows that are left; there is at least one. */
  children: (rows: readonly Row[]) => ReactNode
}

/** A table of fewer rows is read at a glance. */
const searchedFrom = 20

/** The search alone, as `?q=`, so that it outlives a reload. */
const searchQuery = defineQuery({ columns: ['given'], defaultColumn: 'given', facets: [], flags: {} })

/** A search field above a table that has no filters or order of its own. Rows that contain every word are left. */
export function SearchedRows<Row>({ rows, noun, placeholder, textOf, children }: SearchedRowsProps<Row>) {
  const { query, typed, type } = useQuery(searchQuery)
  const box = useRef<HTMLDivElement>(null)
  const shown = useMemo(() => searchRows(rows, query.search, textOf), [rows, query.search, textOf])
  if (rows.length === 0 || (rows.length < searchedFrom && typed === '')) return children(rows)
  return (
    <div ref={box} className="flex flex-col gap-2.5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <SearchField
          label={`Filter ${noun}`}
          placeholder={placeholder}
          value={typed}
          onChange={type}
          onEnterList={() => box.current?.querySelector<HTMLElement>('tbody a, tbody button')?.focus()}
        />
        <p role="status" className="text-small text-muted">
          {shown === rows ? '' : `${formatCount(shown.length)} of ${formatCount(rows.length)}`}
        </p>
      </div>
      {shown.length === 0 ? <Card className="px-4 py-3 text-muted">No row matches this search.</Card> : children(shown)}
    </div>
  )
}

/** The same array if nothing is searched for. All words must match, in any order and letter case. */
export function searchRows<Row>(rows: readonly Row[], search: string, textOf: (row: Row) => string): readonly Row[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return rows
  return rows.filter((row) => {
    const text = textOf(row).toLowerCase()
    return words.every((word) => text.includes(word))
  })
}
