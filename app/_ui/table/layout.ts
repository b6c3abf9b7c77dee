/** Which columns a table of a given width shows. Written as container queries, so that the server's first paint is right at every width. */
import type { Column } from './column'

export type LayoutColumn = Pick<Column<never>, 'id' | 'minWidth' | 'grows' | 'leaves'>

/** The widths in pixels of columns that are not the subject's own: the menu alone, with an icon, and with a short word next to it. */
export const selectWidth = 44
export const menuWidth = 56
export const quickMenuWidth = 92
export const wordMenuWidth = 144

/** Below this width every column that can be hidden is hidden. */
export const defaultFoldBelow = 520

export type TableLayout = {
  columns: readonly LayoutColumn[]
  selects: boolean
  menu: 'none' | 'menu' | 'quick' | 'word'
  foldBelow?: number
}

const menuWidths = { none: 0, menu: menuWidth, quick: quickMenuWidth, word: wordMenuWidth } as const

/**
 * The width in pixels that these columns need side by side. Growing columns share the remaining width equally, so each counts as the
 * widest.
 */
function neededBy(columns: readonly LayoutColumn[], extra: number): number {
  const growing = columns.filter(({ grows }) => grows).map(({ minWidth }) => minWidth)
  const fixed = columns.reduce((sum, { grows, minWidth }) => sum + (grows ? 0 : minWidth), extra)
  return fixed + growing.length * Math.max(0, ...growing)
}

/** Table widths in pixels below which each column that can be hidden is hidden. */
export function findThresholds({ columns, selects, menu, foldBelow = defaultFoldBelow }: TableLayout): ReadonlyMap<string, number> {
  const extra = (selects ? selectWidth : 0) + menuWidths[menu]
  return new Map(
    columns.flatMap(({ id, leaves }) => {
      if (leaves === undefined) return []
      const beside = columns.filter((other) => other.leaves === undefined || other.leaves >= leaves)
      return [[id, Math.max(foldBelow, neededBy(beside, extra))] as const]
    }),
  )
}

/** The styles of one table, by the value of its `data-table`. */
export function renderTableStyle(table: string, layout: TableLayout): string {
  const { columns, menu, foldBelow = defaultFoldBelow } = layout
  const of = (selector: string) => `[data-table="${table}"] ${selector}`
  const narrower = (width: number, rule: string) => `@container table (max-width: ${width - 0.02}px) { ${rule} }`
  const widths = columns
    .filter(({ grows }) => !grows)
    .map(({ id, minWidth }) => `${of(`th[data-column="${id}"]`)} { width: ${minWidth}px }`)
  const leaving = [...findThresholds(layout)].flatMap(([id, width]) => [
    narrower(width, `${of(`[data-column="${id}"]`)} { display: none }`),
    `@container table (min-width: ${width}px) { ${of(`[data-folded="${id}"]`)} { display: none } }`,
  ])
  return [
    ...widths,
    ...(menu === 'none' ? [] : [`${of('th[data-menu]')} { width: ${menuWidths[menu]}px }`]),
    ...leaving,
    narrower(foldBelow, `${of('th[data-menu]')} { width: ${menuWidth}px } ${of('[data-quick]')} { display: none }`),
    narrower(foldBelow, `${of('td[data-main]')} { white-space: normal; overflow-wrap: anywhere; padding-block: 10px }`),
    narrower(foldBelow, `${of('td[data-select]')} { vertical-align: top }`),
  ].join('\n')
}
