/** A collection searched, filtered and sorted, the same on the server and in the browser. */

import { compareTexts } from '@/lib/text/compare'
import type { TableRow } from '../../_ui/table/column'
import type { CollectionKind } from './kind'
import { type BaseQuery, chosenOf, type Indexed, isOn } from './query'

export function indexRows<Row extends TableRow, Q extends BaseQuery>(kind: CollectionKind<Row, Q>, rows: readonly Row[]): Indexed<Row>[] {
  return rows.map((row) => ({
    row,
    text: kind.searched(row).join(' ').toLowerCase(),
    values: Object.fromEntries(kind.facets.map(({ id, valuesOf }) => [id, valuesOf(row)])),
  }))
}

/** Pads numbers, so that web-9 comes before web-10. */
const naturally = (text: string): string => text.toLowerCase().replace(/\d+/g, (digits) => digits.padStart(10, '0'))

/** name: null until it is compared, because most rows differ in their keys. */
type Keyed<Row> = { entry: Indexed<Row>; key: string; name: string | null }

/** By the column, equal ones by name. Empty values come last in both directions. Without a column: in the given order. */
export function sortRows<Row extends TableRow, Q extends BaseQuery>(
  kind: CollectionKind<Row, Q>,
  index: readonly Indexed<Row>[],
  column: string,
  descending: boolean,
): readonly Indexed<Row>[] {
  const textOf = Object.hasOwn(kind.sortTexts, column) ? kind.sortTexts[column] : undefined
  if (!textOf) return index
  const sign = descending ? -1 : 1
  const keyed = index.map((entry): Keyed<Row> => ({ entry, key: naturally(textOf(entry.row)), name: null }))
  const nameOf = (one: Keyed<Row>): string => {
    one.name ??= naturally(kind.nameOf(one.entry.row))
    return one.name
  }
  return keyed
    .sort(
      (a, b) =>
        Number(a.key === '') - Number(b.key === '') ||
        sign * compareTexts(a.key, b.key) ||
        compareTexts(nameOf(a), nameOf(b)) ||
        compareTexts(a.entry.row.id, b.entry.row.id),
    )
    .map(({ entry }) => entry)
}

/** Rows that contain every word, and have one of the chosen values of each facet. Keeps the order. */
export function filterRows<Row extends TableRow, Q extends BaseQuery>(
  kind: CollectionKind<Row, Q>,
  index: readonly Indexed<Row>[],
  query: Q,
): Row[] {
  const words = query.search.toLowerCase().split(/\s+/).filter(Boolean)
  const set = kind.facets.map(({ id }) => ({ id, chosen: chosenOf(query, id) })).filter(({ chosen }) => chosen.length > 0)
  const holding = kind.flags.flatMap(({ id, holds }) => (holds && isOn(query, id) ? [holds] : []))
  return index
    .filter(
      ({ row, text, values }) =>
        words.every((word) => text.includes(word)) &&
        set.every(({ id, chosen }) => values[id]?.some((value) => chosen.includes(value))) &&
        holding.every((holds) => holds(row)),
    )
    .map(({ row }) => row)
}
