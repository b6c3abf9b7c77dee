/** What Lighthouse says of the pages people meet first: on a phone, three runs of each, and on a desktop. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { chromiumPath, openChromium } from '../support/chromium'
import { addSandbox, createAccount } from '../support/first-steps'
import { type Gatehouse, makePlace, startGatehouse } from '../support/gatehouse-process'
import { type Figure, median } from './figure'
import type { Section } from './report'

/** Fetched when it is wanted: with all it brings it is three times the rest of the project, for figures alone. 13 wants Node 22. */
const program = 'lighthouse@12.8.2'
const categories = ['performance', 'accessibility', 'best-practices'] as const

type Scores = Record<(typeof categories)[number], number>

/** From 0 to 100. `cookie` is the session, empty for none; it travels in a file, since others can read a command line. */
async function score(url: string, cookie: string, form: 'mobile' | 'desktop'): Promise<Scores> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-lighthouse-'))
  const [headers, report] = [join(folder, 'headers.json'), join(folder, 'report.json')]
  writeFileSync(headers, JSON.stringify(cookie === '' ? {} : { Cookie: cookie }), { mode: 0o600 })
  const args = [url, '--quiet', `--only-categories=${categories.join(',')}`, `--extra-headers=${headers}`]
  args.push('--output=json', `--output-path=${report}`, '--chrome-flags=--headless=new --no-sandbox --disable-gpu')
  if (form === 'desktop') args.push('--preset=desktop')
  try {
    await run(['--yes', program, ...args])
    const { categories: found } = JSON.parse(readFileSync(report, 'utf8')) as { categories: Record<string, { score: number }> }
    const of = (name: string) => Math.round((found[name]?.score ?? Number.NaN) * 100)
    return { performance: of('performance'), accessibility: of('accessibility'), 'best-practices': of('best-practices') }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** It sometimes misses the beginning of a page, says so and wants to be run again. */
async function run(args: readonly string[], triesLeft = 2): Promise<void> {
  const env = { ...process.env, CHROME_PATH: chromiumPath() }
  await promisify(execFile)('npx', [...args], { env }).catch((error: unknown) => {
    if (triesLeft === 0) throw error
    return run(args, triesLeft - 1)
  })
}

async function measurePage(what: string, url: string, cookie: string): Promise<Figure[]> {
  const mobile: Scores[] = []
  for (let time = 0; time < 3; time += 1) mobile.push(await score(url, cookie, 'mobile'))
  const desktop = await score(url, cookie, 'desktop')
  const worst = (name: keyof Scores) => Math.min(...[...mobile, desktop].map((scores) => scores[name]))
  const more = true
  return [
    {
      what: `${what}: performance on a phone, median`,
      value: median(mobile.map(({ performance }) => performance)),
      unit: '',
      target: 95,
      floor: 90,
      more,
    },
    { what: `${what}: performance on a desktop`, value: desktop.performance, unit: '', target: 99, floor: 95, more },
    { what: `${what}: accessibility`, value: worst('accessibility'), unit: '', target: 100, floor: 100, more },
    { what: `${what}: best practices`, value: worst('best-practices'), unit: '', target: 100, floor: 95, more },
  ]
}

export async function measureLighthouse(): Promise<Section> {
  using place = await makePlace()
  await using gatehouse = await startGatehouse(place)
  const { id, cookie } = await prepare(gatehouse)
  const figures = await measurePage('Sign-in', `${gatehouse.url}/sign-in`, '')
  for (const [what, path] of Object.entries({ Home: '/', Servers: '/servers', Server: `/servers/${id}` }))
    figures.push(...(await measurePage(what, gatehouse.url + path, cookie)))
  return {
    title: 'Lighthouse',
    how: 'Lighthouse 12 in headless Chromium on the same machine; for the phone it simulates a slow network and a fourth of the speed.',
    figures,
  }
}

/** Somebody signed in, and a server to look at; the browser is gone by the time anything is measured. */
async function prepare(gatehouse: Gatehouse): Promise<{ id: string; cookie: string }> {
  await using visitor = await openChromium()
  await createAccount(visitor.page, gatehouse.setupLink ?? '')
  const id = await addSandbox(visitor.page, gatehouse.url, 'web-fra-01')
  const cookies = await visitor.context.cookies()
  return { id, cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; ') }
}
