/** Every page, opened first and with an empty cache: its scripts, which a phone on a slow network waits for, and on a wide screen its left edge. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { shapes } from '@/app/_shared/opening/shapes'
import { measureLoad } from '../support/page-load'
import { installWithSites } from '../support/sandbox-sites'
import { type SandboxVisit, visitSandbox } from '../support/sandbox-visit'
import { startUpstream, type Upstream } from '../support/upstream/upstream'

const mostKb = 200

let visit: SandboxVisit
let upstream: Upstream
beforeAll(async () => {
  upstream = await startUpstream()
  visit = await visitSandbox('harbour-01', { ALLOW_PRIVATE_UPSTREAMS: '127.0.0.0/8' })
  await installWithSites(visit, ['harbour.example'])
  await visit.join('Robin Ekholm', 'operator')
  const fields = { label: 'Second key', address: upstream.origin, apiKey: upstream.key, keeper: 'own' }
  await visit.owner.act('app/(portal)/keys/actions.ts addConnection', fields)
})
afterAll(async () => {
  await visit[Symbol.asyncDispose]()
  await upstream[Symbol.asyncDispose]()
})

/** The id in the address of the first link to a page below `below` on the page there. */
async function findBelow(below: string): Promise<string> {
  const { page, gatehouse } = visit
  await page.goto(gatehouse.url + below)
  const link = page.locator(`main a[href^="${below}/"]:not([href$="/new"])`).first()
  return (await link.getAttribute('href'))?.split('/')[2] ?? ''
}

/** The same of a page that only a menu leads to. */
async function findInMenu(below: string, row: string, item: string): Promise<string> {
  const { page, gatehouse } = visit
  await page.goto(gatehouse.url + below)
  await page.getByRole('button', { name: `Actions for ${row}` }).press('Enter')
  await page.getByRole('menuitem', { name: item }).press('Enter')
  await page.waitForURL(`**${below}/*`)
  return new URL(page.url()).pathname.split('/')[2] ?? ''
}

/** What a page begins with: the trail to it, or its title, before which others' names and signs may stand. */
const firstOfHead = 'main header > div > :first-child, main:not(:has(header)) h1'

/** Pages that exist only while something waits or runs; their parts are those of other pages. */
const passing = new Set(['/approvals/[heldId]', '/jobs/batches/[batchId]'])

test(`no page has more than ${mostKb} KB of scripts, and all begin at one left edge`, async () => {
  const ids: Readonly<Record<string, string>> = {
    '[serverId]': visit.id,
    '[siteId]': await findBelow('/sites'),
    '[jobId]': await findBelow('/jobs'),
    '[memberId]': await findInMenu('/team', 'Robin Ekholm', 'Keys and traces'),
    '[connectionId]': await findInMenu('/keys', 'Second key', 'Lending and uses'),
  }
  const measured: { route: string; kb: number; left: number | undefined }[] = []
  await visit.page.setViewportSize({ width: 1920, height: 1080 })
  for (const route of Object.keys(shapes).filter((each) => !passing.has(each))) {
    const path = route.replace(/\[\w+\]/g, (name) => ids[name] ?? name)
    const { Script: kb = 0 } = await measureLoad(visit.page, visit.gatehouse.url + path)
    await visit.page.locator('main h1').waitFor()
    measured.push({ route, kb, left: (await visit.page.locator(firstOfHead).first().boundingBox())?.x })
  }
  measured.sort((one, other) => other.kb - one.kb)
  process.stdout.write(`${measured.map(({ route, kb }) => `${route}: ${Math.round(kb)} KB of scripts`).join('\n')}\n`)
  expect(measured.filter(({ kb }) => kb > mostKb)).toEqual([])
  const lefts = measured.map(({ left = 0 }) => left)
  // The frame around pages of the sandbox is 4 px wide.
  expect(Math.max(...lefts) - Math.min(...lefts)).toBeLessThan(5)
})
