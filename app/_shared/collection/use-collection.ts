'use client'

import { usePathname } from 'next/navigation'
import { useMemo, useState } from 'react'
import type { TableRow } from '../../_ui/table/column'
import type { CollectionKind } from './kind'
import { type BaseQuery, countFacetValues, type FacetCounts } from './query'
import { filterRows, indexRows, sortRows } from './rows'
import { type QueryState, useQuery } from './use-query'
import { type Selection, useSelection } from './use-selection'

/** What the server knows of the whole collection while the page has only the first matching rows. */
export type Whole = { counts: FacetCounts; shown: number; all: number }

export type CollectionState<Row extends TableRow, Q extends BaseQuery> = QueryState<Q> & {
  kind: CollectionKind<Row, Q>
  /** The matching rows, sorted. */
  shown: readonly Row[]
  counts: FacetCounts
  figures: { shown: number; all: number }
  selection: Selection<Row>
  /** How many of the selected rows do not match the filter. */
  hidden: number
}

type Rest = {
  /** Given while the rows are incomplete. */
  whole?: Whole | null
  /** Counts of filters whose values the rows lack. */
  counts?: FacetCounts | undefined
  /** While the rows lack values that a changed query needs: the previous order and filters stay. */
  held?: boolean
}

export function useCollection<Row extends TableRow, Q extends BaseQuery>(
  kind: CollectionKind<Row, Q>,
  rows: readonly Row[],
  { whole = null, counts: others, held = false }: Rest = {},
): CollectionState<Row, Q> {
  const path = usePathname()
  const state = useQuery(kind.query)
  const query = useHeld(state.query, held)
  const { column, descending } = query
  const index = useMemo(() => indexRows(kind, rows), [kind, rows])
  const counts = useMemo(() => whole?.counts ?? { ...countFacetValues(kind.query.facets, index), ...others }, [whole, kind, index, others])
  const sorted = useMemo(() => sortRows(kind, index, column, descending), [kind, index, column, descending])
  const ordered = useMemo(() => sorted.map(({ row }) => row), [sorted])
  const shown = useMemo(() => filterRows(kind, sorted, query), [kind, sorted, query])
  const selection = useSelection(`${path} ${kind.label}`, ordered, shown)
  const hidden = useMemo(() => countHidden(selection.rows, shown), [selection.rows, shown])
  const figures = whole ?? { shown: shown.length, all: rows.length }
  return { ...state, kind, shown, counts, figures, selection, hidden }
}

/** The query; while `held`, the one from before. */
function useHeld<Q extends BaseQuery>(query: Q, held: boolean): Q {
  const [before, setBefore] = useState(query)
  if (!held && before !== query) setBefore(query)
  return held ? before : query
}

function countHidden(selected: readonly TableRow[], shown: readonly TableRow[]): number {
  if (selected.length === 0) return 0
  const ids = new Set(shown.map(({ id }) => id))
  return selected.filter(({ id }) => !ids.has(id)).length
}
