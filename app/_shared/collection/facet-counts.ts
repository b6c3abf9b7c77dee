/** How many rows of a collection have each value of its filters. */

import { compareTexts } from '@/lib/text/compare'
import { recordOf } from './query'

/** A row with its search text and facet values, computed once. */
export type Indexed<Row> = {
  row: Row
  /** Everything that can be searched, lower case. */
  text: string
  values: Readonly<Record<string, readonly string[]>>
}

export type FacetCount = { value: string; count: number }

/** The values of each facet that occur, with how many rows have them, most frequent first. */
export type FacetCounts<Facet extends string = string> = Readonly<Record<Facet, readonly FacetCount[]>>

export function countFacetValues<Row, Facet extends string>(facets: readonly Facet[], index: readonly Indexed<Row>[]): FacetCounts<Facet> {
  const count = (facet: Facet) => {
    const counts = new Map<string, number>()
    for (const { values } of index) for (const value of values[facet] ?? []) counts.set(value, (counts.get(value) ?? 0) + 1)
    return [...counts]
      .map(([value, times]) => ({ value, count: times }))
      .sort((a, b) => b.count - a.count || compareTexts(a.value, b.value))
  }
  return recordOf(facets, count)
}
