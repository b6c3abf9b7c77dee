/** The header of a server on each of its tabs: the same height everywhere, with the tabs in the same positions. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SandboxVisit, visitSandbox } from '../support/sandbox-visit'

let visit: SandboxVisit
beforeAll(async () => {
  visit = await visitSandbox('harbour-01')
})
afterAll(() => visit[Symbol.asyncDispose]())

type Box = { x: number; y: number; width: number; height: number }

/** The header and each of its tabs, in whole pixels. On a phone the tabs scroll, so their positions are relative to their row. */
async function measure(path: string): Promise<Record<string, Box>> {
  const { page, gatehouse, id } = visit
  await page.goto(`${gatehouse.url}/servers/${id}${path}`)
  await page.getByText('Checking', { exact: true }).waitFor({ state: 'detached' })
  await page.waitForLoadState('networkidle')
  return page.evaluate(`(() => {
    const head = document.querySelector('main header')
    const row = head.querySelector('nav:last-of-type ul')
    const tabs = [...head.querySelectorAll('nav[aria-label^="Pages of"] a')]
    const boxOf = (element, from = { x: 0, y: 0 }) => {
      const { x, y, width, height } = element.getBoundingClientRect()
      return { x: Math.round(x - from.x), y: Math.round(y - from.y), width: Math.round(width), height: Math.round(height) }
    }
    const origin = { x: row.getBoundingClientRect().x, y: 0 }
    return Object.fromEntries([['head', boxOf(head)], ...tabs.map((tab) => [tab.textContent, boxOf(tab, origin)])])
  })()`)
}

const tabs = ['/install', '/cron', '/users', '/firewall', '/logs', '/mail', '/backups', '/sites', '/access', '/settings']

test.each(['before', 'after'])('the header is the same on every tab %s the install', async (when) => {
  const { page, gatehouse, id } = visit
  if (when === 'after') {
    await page.goto(`${gatehouse.url}/servers/${id}/install`)
    await page.getByRole('button', { name: 'Install', exact: true }).click()
    await page.getByText('is installed.').waitFor({ timeout: 60_000 })
  }
  for (const width of [320, 390, 1366]) {
    await page.setViewportSize({ width, height: 900 })
    const first = await measure('')
    expect(Object.keys(first)).toHaveLength(tabs.length + 2)
    for (const path of tabs) expect([width, path, await measure(path)]).toEqual([width, path, first])
  }
})
