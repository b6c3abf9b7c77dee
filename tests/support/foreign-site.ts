/** A site at a foreign service, and its owner at one of its pages in a browser. */
import { expect } from 'vitest'
import { type ForeignVisit, visitForeign } from './foreign-visit'
import type { UpstreamSite } from './upstream/model'
import type { UpstreamOptions } from './upstream/upstream'

const patience = { timeout: 60_000 }

/** sitePath: its address at the service. origin: of the portal. */
export type SiteVisit = ForeignVisit & { site: UpstreamSite; sitePath: string; origin: string }

/** Arrives at a page of first.example, by the name of its tab, which is its address too but for the overview. given: members of the site. */
export async function visitForeignSite(tab: string, given: Partial<UpstreamSite>, options: UpstreamOptions): Promise<SiteVisit> {
  const visit = await visitForeign(options, { READ_SECONDS: '10' })
  const { page, upstream } = visit
  for (const server of upstream.model.servers.values()) server.state = 'ready'
  const id = upstream.addSite({ domain: 'first.example', ...given })
  const { origin } = new URL(visit.url)
  await expect
    .poll(async () => {
      await page.goto(`${origin}/sites`)
      return page.getByRole('link', { name: 'first.example', exact: true }).count()
    }, patience)
    .toBe(1)
  await page.getByRole('link', { name: 'first.example', exact: true }).click()
  await page.getByRole('link', { name: tab, exact: true }).click()
  await page.waitForURL(new RegExp(`/sites/[^/]+${tab === 'Overview' ? '' : `/${tab.toLowerCase()}`}$`))
  const site = upstream.model.sites.get(id)
  if (!site) throw new Error('The site is gone.')
  return { ...visit, site, sitePath: `/sites/${id}`, origin }
}
