/** What a list of ten thousand costs its reader: how soon it is there, answers a key, and scrolls. */
import { get } from 'node:http'
import type { Page } from 'playwright-core'
import type { Visitor } from '../support/chromium'
import { type Figure, quantile } from './figure'

/** url: of the portal. path: of the page and its read, without which it is that of the noun. firstRowMs: when the first row has to be there. */
type LongList = { url: string; noun: 'server' | 'site'; typed: string; path?: string; firstRowMs?: number }

/** Milliseconds from each key of the text to the paint that follows it, as the browser counts them (in steps of 8). */
async function typeTimed(page: Page, search: string, text: string): Promise<number[]> {
  await page.evaluate(`
    window.keyTimes = []
    new PerformanceObserver((list) => { for (const { name, duration } of list.getEntries()) if (name === 'keydown') window.keyTimes.push(duration) })
      .observe({ type: 'event', durationThreshold: 16 })`)
  const field = page.getByLabel(search)
  await field.click()
  await field.pressSequentially(text, { delay: 250 })
  await page.waitForTimeout(500)
  const slow = (await page.evaluate('window.keyTimes')) as number[]
  // Keys that took under 16 ms are not reported one by one.
  return [...slow, ...Array.from({ length: Math.max(0, text.length - slow.length) }, () => 16)]
}

/** Milliseconds between frames while the list is scrolled through, 150 pixels a frame: faster than a wheel is turned. */
async function scrollTimed(page: Page): Promise<number[]> {
  return page.evaluate(`new Promise((resolve) => {
    const frames = []
    let last = performance.now()
    const step = (now) => {
      // Told in tenths of a millisecond, whose difference is not always one.
      frames.push(Math.round((now - last) * 10) / 10)
      last = now
      scrollBy(0, 150)
      if (frames.length < 240) requestAnimationFrame(step)
      else resolve(frames.slice(5))
    }
    requestAnimationFrame(step)
  })`)
}

/** Bytes of the answer as they came, still packed. */
function countWireBytes(url: string, cookie: string): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { cookie, 'accept-encoding': 'gzip' } }, (answer) => {
      let bytes = 0
      answer.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      answer.once('end', () => resolve(bytes))
    }).once('error', reject)
  })
}

/**
 * Bytes on the wire until the first screen is complete: the page with its first rows, filters and counts, and what is read for the rows on screen, such as the last day of servers. The
 * other rows come after it: without them the list can be scrolled by its first 40 rows. Scripts, styles and fonts are the same for every page, and have a limit of their
 * own (tests/browser/page-scripts.test.ts).
 */
async function countScreenBytes(page: Page, rest: string): Promise<number> {
  return Number(
    await page.evaluate(`(() => {
    const isRead = ({ name, initiatorType }) => initiatorType === 'fetch' && new URL(name).pathname !== ${JSON.stringify(rest)}
    const entries = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource').filter(isRead)]
    return entries.reduce((sum, { transferSize }) => sum + transferSize, 0)
  })()`),
  )
}

export async function measureLongList(
  { page, context }: Visitor,
  { url, noun, typed, path = `${noun}s`, firstRowMs = 600 }: LongList,
): Promise<Figure[]> {
  const whole = page.locator('main button:not([disabled])', { hasText: 'CSV' })
  const count = page.locator('main p[role=status]').first()
  await page.goto(`${url}/${path}`)
  await count.filter({ hasText: '10,000' }).waitFor({ timeout: 120_000 })
  await whole.waitFor({ timeout: 120_000 })

  const opened = performance.now()
  await page.goto(`${url}/${path}`)
  await page.locator('tr[data-index="0"]').waitFor()
  const firstRow = performance.now() - opened
  await whole.waitFor()
  const all = performance.now() - opened
  // What is read for the rows on screen waits until scrolling has paused.
  await page.waitForTimeout(1000)
  const screen = await countScreenBytes(page, `/api/${path}`)
  const cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ')
  const packed = await countWireBytes(`${url}/api/${path}`, cookie)
  const search = `Filter ${noun}s`
  const keys = await typeTimed(page, search, typed)
  await page.getByLabel(search).fill('')
  const frames = await scrollTimed(page)
  const nodes = Number(await page.evaluate('document.querySelectorAll("*").length'))
  return [
    { what: 'first row after opening', value: firstRow, unit: 'ms', target: firstRowMs, floor: 2500 },
    { what: 'all rows there', value: all, unit: 'ms' },
    { what: 'what is on screen, on the wire', value: screen / 1024, unit: 'KB', target: 120, floor: 150 },
    { what: 'all rows, on the wire', value: packed / 1024, unit: 'KB', target: 100 },
    { what: 'key to paint, median', value: quantile(keys, 0.5), unit: 'ms', target: 16, floor: 100 },
    { what: 'key to paint, worst', value: Math.max(...keys), unit: 'ms', target: 50, floor: 100 },
    { what: 'frame while scrolling, p95', value: quantile(frames, 0.95), unit: 'ms', target: 17.5, floor: 33.4 },
    { what: 'elements in the page', value: nodes, unit: '', target: 1200, floor: 1500 },
  ]
}
