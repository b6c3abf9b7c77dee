/**
 * The main task of a new user: from the first account to a server that is installed, used and deleted; on real hosts and on a
 * simulated one.
 */
import { expect, test } from 'vitest'
import { type Host, type Release, startHost } from '../hosts/lab/lab'
import { someDebians } from '../hosts/releases'
import { openChromium } from '../support/chromium'
import { addSandbox, createAccount } from '../support/first-steps'
import { makePlace, type Place, startGatehouse } from '../support/gatehouse-process'
import { query } from '../support/place-database'
import { startRecordingProxy } from '../support/recording-proxy'
import { openChance } from '../support/seeds'
import { disguisesOf, readBundledKey } from '../support/stored-key'
import { addHost } from './add-host'
import { liveThrough } from './server-life'

type Page = Awaited<ReturnType<typeof openChromium>>['page']

const percent = async (page: Page) => Number(await page.getByRole('progressbar').first().getAttribute('aria-valuenow'))

/** Every line of the install reached the portal once and in order, whatever happened in between, and the install ran once. */
async function seeNothingLost(place: Place): Promise<void> {
  expect(await query(place, 'service', 'SELECT count(*) AS runs FROM "InstallRun"')).toEqual([{ runs: 1 }])
  const [lines] = await query(
    place,
    'portal',
    'SELECT count(*) AS rows, max(seq) AS last, count(DISTINCT upstreamId) AS ids FROM "JobEvent"',
  )
  const [events] = await query(place, 'service', 'SELECT count(*) AS events FROM "InstallEvent"')
  expect(lines).toEqual({ rows: events?.events, last: events?.events, ids: events?.events })
}

/** Compares the overview with what the server itself reports. */
async function seeSummary(page: Page, host: Host | null): Promise<void> {
  const kernel = host ? (await host.run('uname -r')).stdout.trim() : 'Apache 2.4'
  await expect.poll(() => page.locator('main').textContent(), { timeout: 30_000 }).toContain(kernel)
  if (!host) return expect(await page.getByText('Sandbox').count()).toBeGreaterThan(0)
  const shown = (await page.locator('main').textContent()) ?? ''
  const php = (await host.run('php -r "echo PHP_MAJOR_VERSION.chr(46).PHP_MINOR_VERSION;"')).stdout
  for (const fact of [host.ip, php, 'Apache', 'MariaDB']) expect(shown).toContain(fact)
  expect((await fetch(`http://${host.ip}/`)).headers.get('server')).toMatch(/Apache/)
}

type Machine = { name: string; release: Release | null }

const machines: readonly [on: string, Machine][] = [
  // The tests of hosts install both releases.
  ...someDebians(openChance()).map(({ debian, release }): [string, Machine] => [`a real ${debian} host`, { name: 'web-fra-01', release }]),
  ['a sandbox server', { name: 'slow-harbour', release: null }],
]

test.each(machines)(
  'on %s: added, installed live through reloads and a killed portal, every page used, deleted',
  async (_on, { name, release }) => {
    await using proxy = await startRecordingProxy()
    using place = await makePlace({ PUBLIC_URL: `http://localhost:${proxy.port}` })
    proxy.forwardTo(place.port)
    await using host = release && (await startHost({ login: { kind: 'root-password' }, name, release }))
    const first = await startGatehouse(place)
    await using visitor = await openChromium()
    const { page } = visitor
    await createAccount(page, first.setupLink ?? '')
    if (host) await addHost(page, name, host)
    else await addSandbox(page, `http://localhost:${proxy.port}`, name)

    await page.getByRole('button', { name: 'Install', exact: true }).click()
    await expect.poll(() => percent(page), { timeout: 300_000 }).toBeGreaterThan(5)
    for (const floor of [10, 15]) {
      await page.reload()
      await expect.poll(() => percent(page), { timeout: 300_000 }).toBeGreaterThan(floor)
    }
    await first.stop('SIGKILL')
    await using _again = await startGatehouse(place)
    await page.getByText('is installed.').waitFor({ timeout: 900_000 })
    await seeNothingLost(place)

    await page.getByRole('link', { name: 'View server' }).click()
    await seeSummary(page, host)
    await liveThrough({ page, place, name, host, password: host?.login.pass ?? 'right' })

    expect(visitor.complaints).toEqual([])
    const recorded = proxy.recorded()
    for (const disguise of disguisesOf(await readBundledKey(place.dir))) expect(recorded.includes(disguise)).toBe(false)
    if (host) expect(recorded.includes(host.login.pass)).toBe(false)
  },
)
