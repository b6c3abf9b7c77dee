/**
 * The portal in front of foreign services of four dialects: each page that such a service has is opened, changes are made on the pages, and
 * each state that they tell is compared with what is true at the service. None is untrue, and the output says how many were compared.
 */
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { type ForeignVisit, visitForeign } from '../support/foreign-visit'
import type { UpstreamServer, UpstreamSite } from '../support/upstream/model'
import { type Dialect, dialects, optionsOf, taken } from './foreign-dialects'
import { chipOf, columnOf, countAttention, createJudge, type Judge, textOf } from './foreign-judge'
import { backupsOn, type Judging, judgeServer, judgeSite } from './foreign-pages'
import { showColumn } from './show-column'

const patience = { timeout: 60_000 }
const domain = 'first.example'

/** siteUrl: its page in the portal. at: the site at the service. */
type Walk = Judging & { visit: ForeignVisit; origin: string; server: UpstreamServer; site: UpstreamSite; siteUrl: string; at: string }

test.each(dialects)('no page tells an untrue state of a service with $name', async (dialect) => {
  await using visit = await visitForeign(optionsOf(dialect), { READ_SECONDS: '10' })
  const judge = createJudge(dialect.name)
  await takeWalk(await prepare(visit, dialect, judge)).catch(judge.stop)
  process.stdout.write(`${dialect.name}: ${judge.judged} states compared, ${judge.untrue.length} untrue\n`)
  expect({ untrue: judge.untrue, complaints: visit.visitor.complaints }).toEqual({ untrue: [], complaints: [] })
  expect(judge.judged).toBeGreaterThan(60)
})

async function takeWalk(walk: Walk): Promise<void> {
  await judgeLists(walk)
  await judgeServer(walk, walk.visit.url, walk.server, [walk.site])
  await judgeSite(walk, walk.siteUrl, walk.site)
  await watchInstall(walk)
  await changeAliases(walk)
  await switchOn(walk, { tab: 'ssl', operation: 'setssl', what: 'SSL', button: 'Turn on SSL', isOn: ({ ssl }) => ssl })
  await switchOn(walk, { tab: 'email', operation: 'setemail', what: 'Email', button: 'Turn on email', isOn: ({ email }) => email })
  await setDatabasePassword(walk)
  await backUp(walk)
  await download(walk)
  await judgeRecords(walk)
  await judgeWait(walk)
}

const found = <Thing>(thing: Thing | undefined): Thing => {
  if (thing === undefined) throw new Error('It is gone.')
  return thing
}

/** One server and its site, written in the dialect; the site is opened from the list. */
async function prepare(visit: ForeignVisit, dialect: Dialect, judge: Judge): Promise<Walk> {
  const { page, upstream, url } = visit
  // Wide enough for every column of a list.
  await page.setViewportSize({ width: 1920, height: 1080 })
  const server = found(upstream.model.servers.get(visit.path.replace('/servers/', '')))
  Object.assign(server, { state: 'ready', ...dialect.server })
  const id = upstream.addSite({ domain, aliases: [`www.${domain}`], ...dialect.site })
  const { origin } = new URL(url)
  const link = page.getByRole('link', { name: domain, exact: true })
  await expect
    .poll(async () => {
      await page.goto(`${origin}/sites`)
      return link.count()
    }, patience)
    .toBe(1)
  const siteUrl = new URL((await link.getAttribute('href')) ?? '', origin).href
  return { judge, page, dialect, visit, origin, server, site: found(upstream.model.sites.get(id)), siteUrl, at: `/sites/${id}` }
}

async function judgeLists({ judge, page, origin, visit: { upstream } }: Walk): Promise<void> {
  const servers = () => [...upstream.model.servers.values()]
  const sites = () => [...upstream.model.sites.values()]
  await page.goto(`${origin}/servers`)
  await judge.compare(
    'servers',
    () => columnOf(page, 'name'),
    () => servers().map(({ name }) => name),
  )
  await showColumn(page, 'DNS')
  await judge.compare(
    'servers, DNS',
    () => columnOf(page, 'dns'),
    () => servers().map(({ dns }) => dns),
  )
  await page.goto(`${origin}/sites`)
  await judge.compare(
    'sites',
    () => columnOf(page, 'domain'),
    () => sites().map((site) => site.domain),
  )
  await judge.compare(
    'sites, usage',
    () => columnOf(page, 'usage'),
    () => sites().map(() => '100 MB'),
  )
  await judge.compare(
    'sites, server',
    () => columnOf(page, 'server'),
    () => servers().map(({ name }) => name),
  )
}

async function watchInstall({ judge, page, server, visit: { url, upstream } }: Walk): Promise<void> {
  await page.goto(`${url}/install`)
  await page.getByRole('button', { name: 'Install', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Install', exact: true }).click()
  const tells = async (part: string) => (await textOf(page)).includes(part)
  await judge.compare(
    'install, running',
    () => tells('Running'),
    () => server.state === 'installing',
  )
  await judge.compare(
    'install, last line',
    () => tells('Line 10 of 10'),
    () => server.state === 'ready',
  )
  await judge.compare(
    'install, done',
    () => tells(`${server.name} is installed.`),
    () => server.state === 'ready',
  )
  await judge.compare(
    'install, once',
    async () => Number(await tells('10 lines')),
    () => upstream.installStarts(server.id),
  )
}

/** From now on the service answers this change, once, as the dialect does after it was made. */
function answerAsDialect({ visit, dialect: { answers }, at }: Walk, operation: keyof NonNullable<Dialect['answers']>): void {
  const fault = answers?.[operation]
  if (fault !== undefined) visit.upstream.set(fault, { path: `${at}/${operation}`, times: 1 })
}

async function changeAliases(walk: Walk): Promise<void> {
  const { judge, page, site, siteUrl } = walk
  await page.goto(`${siteUrl}/aliases`, { waitUntil: 'networkidle' })
  answerAsDialect(walk, 'savealias')
  await page.getByLabel('Add aliases').fill(`new.${domain} ${taken.alias}`)
  await page.getByRole('button', { name: 'Add 2 aliases' }).click()
  const outcomes = async () => {
    const said = await page.getByRole('list', { name: 'Outcome' }).getByRole('listitem').allInnerTexts()
    return said.map((text) =>
      text
        .replace(/[\u2068\u2069]/g, '')
        .replace(/\s+/g, ' ')
        .trim(),
    )
  }
  const isTold = async (name: string, words: string) => (await outcomes()).some((text) => text.startsWith(name) && text.includes(words))
  await judge.compare(
    'aliases, added',
    () => isTold(`new.${domain}`, 'Added'),
    () => site.aliases.includes(`new.${domain}`),
  )
  await judge.compare(
    'aliases, refused',
    () => isTold(taken.alias, taken.reason),
    () => !site.aliases.includes(taken.alias),
  )
  const listed = () => columnOf(page, 'alias')
  await judge.compare('aliases, after adding', listed, () => [...site.aliases].sort())
  answerAsDialect(walk, 'deletealias')
  await page.getByRole('button', { name: `Remove www.${domain}` }).click()
  await judge.compare(
    'aliases, removed',
    () => tellsToast(page, `www.${domain} was removed.`),
    () => !site.aliases.includes(`www.${domain}`),
  )
  await judge.compare('aliases, after removing', listed, () => [...site.aliases].sort())
}

const tellsToast = async (page: Page, words: string): Promise<boolean> => (await page.getByText(words, { exact: true }).count()) > 0

type Switch = { tab: string; operation: 'setssl' | 'setemail'; what: string; button: string; isOn: (site: UpstreamSite) => boolean }

async function switchOn(walk: Walk, { tab, operation, what, button, isOn }: Switch): Promise<void> {
  const { judge, page, site, siteUrl, visit, at } = walk
  await page.goto(`${siteUrl}/${tab}`, { waitUntil: 'networkidle' })
  answerAsDialect(walk, operation)
  await page.getByRole('button', { name: button, exact: true }).click()
  await judge.compare(
    `${what}, switched`,
    () => tellsToast(page, `${what} is on.`),
    () => isOn(site),
  )
  await judge.compare(
    `${what}, after`,
    () => chipOf(page, what),
    () => (isOn(site) ? 'On' : 'Off'),
  )
  await judge.compare(
    `${what}, once`,
    () => page.getByText('The outcome is unknown.').count(),
    () => visit.upstream.callsTo('POST', `${at}/${operation}`).length - 1,
  )
}

async function setDatabasePassword({ judge, page, dialect, siteUrl, visit, at }: Walk): Promise<void> {
  await page.goto(`${siteUrl}/database`, { waitUntil: 'networkidle' })
  const button = page.getByRole('button', { name: 'Set password' })
  const offered = dialect.refusesDatabases === null
  await judge.compare(
    'database, offered',
    () => button.count(),
    () => Number(offered),
  )
  if (!offered) return
  await button.click()
  await page.getByRole('dialog').getByRole('button', { name: 'Set password' }).click()
  const sent = () => visit.upstream.callsTo('POST', `${at}/savedatabase`).length
  await judge.compare('database, password', () => page.getByText('The password of site_db was set').count(), sent)
}

async function backUp(walk: Walk): Promise<void> {
  const { judge, page, site, siteUrl } = walk
  await page.goto(`${siteUrl}/backups`, { waitUntil: 'networkidle' })
  const before = site.backups.length
  answerAsDialect(walk, 'backup/creates')
  await page.getByRole('button', { name: 'Create backup' }).click()
  await judge.compare(
    'backups, created',
    () => tellsToast(page, 'The backup was created.'),
    () => site.backups.length === before + 1,
  )
  await judge.compare(
    'backups, after',
    async () => (await backupsOn(page)).sort(),
    () => site.backups.map(({ name }) => name).sort(),
  )
}

async function download({ judge, page, site }: Walk): Promise<void> {
  await page.getByRole('button', { name: 'Prepare archive' }).click()
  const link = page.getByRole('link', { name: 'Download archive' })
  await judge.compare(
    'download, ready',
    () => link.count(),
    () => 1,
  )
  const [saved] = await Promise.all([page.waitForEvent('download', patience), link.click(patience)])
  await judge.compare(
    'download, content',
    async () => String(await readFile(await saved.path())),
    () => String(site.archive.bytes),
  )
}

/** Each row as its words. */
const rowsOf = async (page: Page): Promise<string[]> =>
  (await page.locator('main tbody tr').allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim())

/** Jobs, Activity, Home and Connections, after the changes. */
async function judgeRecords({ judge, page, origin, site, server, visit: { upstream } }: Walk): Promise<void> {
  const done = (isSo: boolean) => (isSo ? 'Done' : 'Failed')
  const jobs: readonly [title: string, state: () => string][] = [
    [`Install ${server.name}`, () => done(server.state === 'ready')],
    [`Delete an alias of ${domain}`, () => done(!site.aliases.includes(`www.${domain}`))],
    [`Change SSL of ${domain}`, () => done(site.ssl)],
    [`Change email of ${domain}`, () => done(site.email)],
    [`Back up ${domain}`, () => done(site.backups.length === 2)],
    [`Prepare an archive of ${domain}`, () => done(true)],
  ]
  await page.goto(`${origin}/jobs`)
  for (const [title, state] of jobs) {
    const told = async () => (await rowsOf(page)).filter((row) => row.includes(title)).map((row) => /\w+/.exec(row)?.[0])
    await judge.compare(`jobs, ${title}`, told, () => [state()])
  }
  await page.goto(`${origin}/activity`)
  const outcomesOf = (name: string) => async () =>
    (await rowsOf(page)).filter((row) => row.includes(name)).map((row) => /\b(Done|Failed|Unknown|Interrupted)\b/.exec(row)?.[0])
  await judge.compare('activity, added', outcomesOf(`new.${domain}`), () => [done(site.aliases.includes(`new.${domain}`))])
  await judge.compare('activity, removed', outcomesOf(`www.${domain}`), () => [done(!site.aliases.includes(`www.${domain}`))])
  await judge.compare('activity, refused', outcomesOf(taken.alias), () => [done(site.aliases.includes(taken.alias))])
  await page.goto(origin)
  // The batch with the alias that was refused, and nothing else.
  await judge.compare(
    'home, attention',
    () => countAttention(page),
    () => Number(!site.aliases.includes(taken.alias)),
  )
  await judge.compare(
    'home, servers',
    async () => /\d+ servers?/.exec(await textOf(page))?.[0],
    () => `${upstream.model.servers.size} server`,
  )
  await page.goto(`${origin}/keys`)
  await judge.compare(
    'connections',
    () => columnOf(page, 'state'),
    () => ['Working'],
  )
  await judge.compare(
    'connections, servers',
    () => columnOf(page, 'servers'),
    () => [String(upstream.model.servers.size)],
  )
}

/** A service that wants to be left alone for a while, which the page says in its words. */
async function judgeWait({ judge, page, siteUrl, visit, at }: Walk): Promise<void> {
  visit.upstream.set('rate-limited', { path: `${at}/email`, times: 1 })
  await page.goto(`${siteUrl}/email`)
  const said = async () => /asks to wait \d+ seconds?/.exec(await textOf(page))?.[0]
  await judge.compare('a wait', said, () => 'asks to wait 7 seconds')
}
