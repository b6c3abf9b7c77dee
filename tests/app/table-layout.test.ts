/** Which columns a table shows at which width: always enough room for those that are shown. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findThresholds, type LayoutColumn, renderTableStyle, selectWidth } from '@/app/_ui/table/layout'

const columns: readonly LayoutColumn[] = [
  { id: 'state', minWidth: 130, leaves: 3 },
  { id: 'name', minWidth: 160, grows: true },
  { id: 'hostname', minWidth: 200, leaves: 2 },
  { id: 'dns', minWidth: 100, leaves: 1 },
]

const anyColumns = fc
  .array(fc.record({ minWidth: fc.integer({ min: 40, max: 300 }), grows: fc.boolean(), leaves: fc.integer({ min: 1, max: 9 }) }), {
    minLength: 1,
    maxLength: 9,
  })
  .map((some): LayoutColumn[] =>
    some.map(({ minWidth, grows, leaves }, place) => ({
      id: `c${place}`,
      minWidth,
      ...(grows && { grows }),
      ...(place > 0 && { leaves }),
    })),
  )

test('columns are hidden in their order, and reappear as soon as they fit', () => {
  const layout = { columns, selects: true, menu: 'none', foldBelow: 400 } as const
  expect([...findThresholds(layout)]).toEqual([
    ['state', 400],
    ['hostname', selectWidth + 130 + 160 + 200],
    ['dns', selectWidth + 130 + 160 + 200 + 100],
  ])
})

test('at any width the visible columns have their minimum width', () => {
  fc.assert(
    fc.property(anyColumns, fc.boolean(), fc.integer({ min: 400, max: 2400 }), (some, selects, width) => {
      const thresholds = findThresholds({ columns: some, selects, menu: 'quick', foldBelow: 400 })
      const shown = some.filter(({ id }) => (thresholds.get(id) ?? 0) <= width)
      if (shown.length === 1) return
      const growing = shown.filter(({ grows }) => grows)
      const fixed = shown.filter(({ grows }) => !grows).reduce((sum, { minWidth }) => sum + minWidth, selects ? selectWidth : 0)
      for (const { minWidth } of growing) expect((width - fixed) / growing.length).toBeGreaterThanOrEqual(minWidth)
    }),
  )
})

test('a column and what it folds into the main one are never shown together', () => {
  const style = renderTableStyle('t', { columns, selects: false, menu: 'none', foldBelow: 400 })
  expect(style).toContain('@container table (max-width: 489.98px) { [data-table="t"] [data-column="hostname"] { display: none } }')
  expect(style).toContain('@container table (min-width: 490px) { [data-table="t"] [data-folded="hostname"] { display: none } }')
})
