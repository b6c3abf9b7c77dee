/** Whether the tables of a page can be read at every width that people have. */
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

export const widths = [320, 360, 390, 768, 900, 1100, 1180, 1280, 1366, 1920]

const minName = 120

/** What of the page's tables cannot be read at the window's present width. */
export const findTableFaults = (of: Page): Promise<string[]> =>
  of.evaluate(`(() => {
    const faults = []
    const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth
    if (wide !== 0) faults.push(wide + ' px too wide')
    const heads = [...document.querySelectorAll('main th[data-column]')]
    if (heads.length === 0) faults.push('no table')
    const shown = heads.filter((head) => head.getBoundingClientRect().width > 0)
    for (const head of heads) {
      const { width } = head.getBoundingClientRect()
      // A column that stands alone has all the room there is, which is judged below.
      const least = shown.length > 1 ? Number(head.dataset.min) : 0
      if (width > 0 && width < least - 0.5) faults.push(head.dataset.column + ' is ' + width + ' px wide, less than ' + least)
    }
    for (const cell of document.querySelectorAll('main tr[data-index] td')) {
      const edge = cell.getBoundingClientRect()
      if (edge.width === 0) continue
      if (cell.dataset.main && edge.width < ${minName}) faults.push('a name has ' + edge.width + ' px')
      if (!cell.classList.contains('truncate') && cell.scrollWidth > cell.clientWidth) faults.push(cell.dataset.column + ' spills over')
      for (const chip of cell.querySelectorAll('.rounded-chip')) {
        const { width, right } = chip.getBoundingClientRect()
        if (width > 0 && right > edge.right + 0.5) faults.push(cell.dataset.column + ' cuts ' + chip.textContent)
      }
    }
    return [...new Set(faults)]
  })()`)

/** The columns that are shown, of the first table. */
export const columnsOf = (of: Page): Promise<string[]> =>
  of
    .locator('main table')
    .first()
    .locator('th[data-column]')
    .evaluateAll((heads) => heads.filter((head) => head.getBoundingClientRect().width > 0).map((head) => head.dataset.column ?? ''))

/** The columns shown at each width. Fails where any of them cannot be read. */
export async function proveReadable(page: Page): Promise<Record<number, string[]>> {
  const faults: Record<number, string[]> = {}
  const columns: Record<number, string[]> = {}
  for (const width of widths) {
    await page.setViewportSize({ width, height: 860 })
    const found = await findTableFaults(page)
    if (found.length > 0) faults[width] = found
    columns[width] = await columnsOf(page)
  }
  expect(faults).toEqual({})
  return columns
}
