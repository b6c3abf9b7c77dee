/** The first rows of a long list, for the server to render: its page loads the rest. */
import { nextTurn } from '@/lib/portal/base/turns'
import type { TableRow } from '../../_ui/table/column'
import type { CollectionKind } from './kind'
import { type BaseQuery, countFacetValues } from './query'
import { filterRows, indexRows, sortRows } from './rows'
import type { Whole } from './use-collection'

// Fills the tallest window.
const firstRows = 40

export type SearchParams = Record<string, string | string[] | undefined>

/** With thousands of rows each step takes a while, so other requests are served in between. */
export async function firstRowsOf<Row extends TableRow, Q extends BaseQuery>(
  kind: CollectionKind<Row, Q>,
  rows: readonly Row[],
  search: SearchParams,
): Promise<Whole & { rows: readonly Row[] }> {
  const query = kind.query.parse(toParams(search))
  const index = indexRows(kind, rows)
  await nextTurn()
  const ordered = sortRows(kind, index, query.column, query.descending)
  await nextTurn()
  const shown = filterRows(kind, ordered, query)
  return { rows: shown.slice(0, firstRows), counts: countFacetValues(kind.query.facets, index), shown: shown.length, all: rows.length }
}

const toParams = (search: SearchParams): URLSearchParams =>
  new URLSearchParams(Object.entries(search).flatMap(([name, value]) => [value ?? []].flat().map((one): [string, string] => [name, one])))
