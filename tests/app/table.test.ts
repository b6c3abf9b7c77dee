/** A table of a subject that nobody has written yet: it needs columns and rows, and knows nothing else of them. */
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { Column } from '@/app/_ui/table/column'
import { Table } from '@/app/_ui/table/table'

type Site = { id: string; domain: string; usage: string }

const columns: readonly Column<Site>[] = [
  { id: 'domain', label: 'Domain', minWidth: 160, grows: true, main: true, cell: ({ domain }) => domain },
  { id: 'usage', label: 'Usage', minWidth: 90, leaves: 1, cell: ({ usage }) => usage, folded: ({ usage }) => `uses ${usage}` },
]

const sites = (count: number): Site[] =>
  Array.from({ length: count }, (_, place) => ({ id: `s${place}`, domain: `site-${place}.example`, usage: `${place} MB` }))

const draw = (count: number) => renderToStaticMarkup(createElement(Table<Site>, { label: 'Sites', columns, rows: sites(count) }))

test('few rows are all drawn; of many only the first, above space for the rest, and the table states how many there are', () => {
  const few = draw(4)
  expect(few.match(/<tr data-index/g)).toHaveLength(4)
  expect(few).not.toContain('height:')
  const many = draw(1000)
  expect(many).toContain('aria-rowcount="1001"')
  expect(many.match(/<tr data-index/g)?.length).toBeLessThan(60)
  expect(many).toMatch(/<td style="height:\d+px;padding:0"><\/td><\/tr><\/tbody>/)
})

test('a column says its least width, and what it folds into the main one is there beside it', () => {
  const [row] = /<tr data-index="0".*?<\/tr>/.exec(draw(1)) ?? []
  expect(draw(1)).toContain('data-column="usage" data-min="90"')
  expect(row).toContain('<div data-folded="usage"')
  expect(row).toContain('uses 0 MB')
  expect(row).toContain('<td data-column="usage"')
})
