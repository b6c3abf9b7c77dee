/** Compares what pages tell with what is true, and keeps what is not. */
import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Page } from 'playwright-core'

type Untrue = { dialect: string; page: string; told: unknown; true: unknown }

/** Pages are read again while they are open. What they show after that time they continue to show. */
const patienceMs = 20_000

/** untrue: what was not told as it is. judged: how many states were compared. */
export type Judge = {
  readonly untrue: readonly Untrue[]
  readonly judged: number
  /** page: for people. told is asked again until it is what is true. */
  compare(page: string, told: () => Promise<unknown>, truth: () => unknown): Promise<void>
  /** The walk could not continue, which counts as untrue: a page lacked what it should offer. */
  stop(error: unknown): void
}

export function createJudge(dialect: string): Judge {
  const untrue: Untrue[] = []
  let judged = 0
  return {
    untrue,
    get judged() {
      return judged
    },
    stop(error) {
      untrue.push({ dialect, page: 'the walk', told: String(error), true: 'can be walked to its end' })
    },
    async compare(page, told, truth) {
      judged += 1
      const until = Date.now() + patienceMs
      for (;;) {
        const [said, real] = [await told(), truth()]
        if (isDeepStrictEqual(said, real)) return
        if (Date.now() > until) return void untrue.push({ dialect, page, told: said, true: real })
        await pause(150)
      }
    },
  }
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** The text of a page without its navigation. */
export const textOf = async (page: Page): Promise<string> => oneLine(await page.locator('main').innerText())

/** Labels and their values. */
export async function factsOf(page: Page): Promise<Readonly<Record<string, string>>> {
  const facts = await page
    .locator('main dl > div')
    .evaluateAll((lines) => lines.map((line) => ['dt', 'dd'].map((name) => line.querySelector<HTMLElement>(name)?.innerText ?? '')))
  return Object.fromEntries(facts.map(([label = '', value = '']) => [oneLine(label), oneLine(value)]))
}

/** One column of the page's first table, from top to bottom. */
export async function columnOf(page: Page, column: string): Promise<string[]> {
  const cells = page.locator('main table').first().locator(`tr[data-index] td[data-column="${column}"]`)
  return (await cells.evaluateAll((all) => all.map((cell) => (cell instanceof HTMLElement ? cell.innerText : '')))).map(oneLine)
}

/** What each meter measures, as screen readers read it. */
export async function metersOf(page: Page): Promise<Readonly<Record<string, string>>> {
  const meters = await page
    .locator('main [role=meter]')
    .evaluateAll((all) => all.map((meter) => ['aria-label', 'aria-valuetext'].map((name) => meter.getAttribute(name) ?? '')))
  return Object.fromEntries(meters.map(([label = '', value = '']) => [label, value]))
}

/** The word in the chip beside a heading such as SSL. */
export async function chipOf(page: Page, what: string): Promise<string> {
  const [said = ''] = await page.locator('main p', { hasText: new RegExp(`^${what}\\s*\\w+$`) }).allInnerTexts()
  return oneLine(said).slice(what.length).trim()
}

/** How many lines say on Home what needs attention. */
export const countAttention = (page: Page): Promise<number> =>
  page.getByRole('region', { name: 'Needs attention' }).getByRole('listitem').count()
