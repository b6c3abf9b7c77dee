/** What a browser loads for each page that is opened first, and how soon it is there. */
import type { Page } from 'playwright-core'
import { openChromium } from '../support/chromium'
import { addSandbox, createAccount, owner } from '../support/first-steps'
import { makePlace, startGatehouse } from '../support/gatehouse-process'
import { measureLoad } from '../support/page-load'
import type { Figure } from './figure'
import type { Section } from './report'

type Load = { scripts: number; styles: number; fonts: number; all: number; lcp: number; cls: number }

/** Runs in the page before anything of it: keeps what the browser says of its painting. */
const watchPainting = `
  window.painting = { lcp: 0, cls: 0 }
  new PerformanceObserver((list) => { for (const { startTime } of list.getEntries()) window.painting.lcp = startTime })
    .observe({ type: 'largest-contentful-paint', buffered: true })
  new PerformanceObserver((list) => { for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.painting.cls += value })
    .observe({ type: 'layout-shift', buffered: true })`

/** Opens the address with an empty cache; kilobytes as they came over the wire, of what was requested until the page had loaded. */
async function load(page: Page, url: string): Promise<Load> {
  const kb = await measureLoad(page, url)
  const painting = (await page.evaluate('window.painting')) as { lcp: number; cls: number }
  const all = Object.values(kb).reduce((sum, size) => sum + size, 0)
  return { scripts: kb.Script ?? 0, styles: kb.Stylesheet ?? 0, fonts: kb.Font ?? 0, all, ...painting }
}

export async function measurePages(): Promise<Section> {
  using place = await makePlace()
  await using gatehouse = await startGatehouse(place)
  await using visitor = await openChromium()
  const { page } = visitor
  await page.addInitScript(watchPainting)
  await createAccount(page, gatehouse.setupLink ?? '')
  const id = await addSandbox(page, gatehouse.url, 'web-fra-01')
  const figures: Figure[] = []
  const measure = async (path: string, what: string, target: number, floor: number) => {
    const { scripts, styles, fonts, all, lcp, cls } = await load(page, gatehouse.url + path)
    figures.push(
      { what: `${what}: scripts`, value: scripts, unit: 'KB', target, floor },
      { what: `${what}: all`, value: all, unit: 'KB', target: 350, floor: 450 },
      { what: `${what}: largest paint`, value: lcp, unit: 'ms', target: 1500, floor: 2500 },
      { what: `${what}: layout shift`, value: cls, unit: '', target: 0.02, floor: 0.1 },
    )
    return { styles, fonts }
  }
  const { styles, fonts } = await measure('/servers', 'Servers', 200, 215)
  figures.push(
    { what: 'styles', value: styles, unit: 'KB', target: 20, floor: 30 },
    { what: 'fonts', value: fonts, unit: 'KB', target: 60, floor: 80 },
  )
  await measure(`/servers/${id}`, 'Server', 200, 215)
  await measure(`/servers/${id}/install`, 'Install', 200, 215)
  await measure('/jobs', 'Jobs', 200, 215)
  await page.context().clearCookies()
  await measure('/sign-in', 'Sign-in', 150, 165)
  const since = performance.now()
  await page.getByLabel('Email').fill(owner.email)
  await page.getByLabel('Password', { exact: true }).fill(owner.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('link', { name: 'web-fra-01' }).first().waitFor()
  figures.push({ what: 'sign-in click to the servers', value: performance.now() - since, unit: 'ms', target: 1000, floor: 1500 })
  return {
    title: 'Pages',
    how: 'Each page is the first one opened in Chromium with an empty cache, on the same machine; compressed sizes on the wire.',
    figures,
  }
}
