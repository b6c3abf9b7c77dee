/** What a browser fetches for a page that is opened first. */
import type { Page } from 'playwright-core'

/** Kilobytes by type of request, as Chromium names the types (`Script`, `Font` …). */
export type PageLoad = Readonly<Record<string, number>>

/** How long code that a page requests after it has loaded has to arrive. */
const settleMs = 1500

/** Opens the address with an empty cache: compressed sizes on the wire, of what was requested until the page had loaded. */
export async function measureLoad(page: Page, url: string): Promise<PageLoad> {
  // What the page before still fetches while it is idle is not counted.
  await page.goto('about:blank')
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Network.enable')
  await cdp.send('Network.clearBrowserCache')
  await cdp.send('Page.enable')
  let loaded = false
  const asked = new Map<string, string>()
  const bytes: Record<string, number> = {}
  cdp.on('Page.loadEventFired', () => {
    loaded = true
  })
  cdp.on('Network.requestWillBeSent', ({ requestId, type = 'Other' }) => loaded || asked.set(requestId, type))
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const type = asked.get(requestId)
    if (type) bytes[type] = (bytes[type] ?? 0) + encodedDataLength
  })
  await page.goto(url, { waitUntil: 'load' })
  await page.waitForTimeout(settleMs)
  await cdp.detach()
  return Object.fromEntries(Object.entries(bytes).map(([type, size]) => [type, size / 1024]))
}
