/** What the pages of a server and a site tell, beside what is true of the machine behind a foreign service. */
import type { Page } from 'playwright-core'
import type { UpstreamServer, UpstreamSite } from '../support/upstream/model'
import type { Dialect } from './foreign-dialects'
import { chipOf, columnOf, factsOf, type Judge, metersOf, textOf } from './foreign-judge'

/** In which way the service writes these does not matter. */
const machine = {
  IPv4: '192.0.2.10',
  Kernel: '6.1.0-28-amd64',
  Processor: 'AMD EPYC, 2 cores',
  Uptime: '3 days, 4 hours',
  Software: 'Apache 2.4.62, PHP 8.2.26, MariaDB 10.11.6',
  Location: 'Frankfurt',
}
const meters = { Disk: '12 GB of 40 GB', Memory: '2 GB of 4 GB' }
const updates = 'Updates 4 waiting, 1 is a security fix'
const serverBackup = '70 MB'
const siteSizes = { usage: '100 MB', backup: '40 MB' }
const mailServer = 'mail.example.org'
const notTold = 'not told'

export type Judging = { judge: Judge; page: Page; dialect: Dialect }

const pick = (facts: Readonly<Record<string, string>>, labels: readonly string[]) =>
  Object.fromEntries(labels.map((label) => [label, facts[label] ?? notTold]))

/** url: of the server in the portal. */
export async function judgeServer({ judge, page }: Judging, url: string, server: UpstreamServer, sites: readonly UpstreamSite[]) {
  const open = (tab: string) => page.goto(`${url}/${tab}`)
  const compare = (tab: string, told: () => Promise<unknown>, truth: () => unknown) => judge.compare(`server: ${tab}`, told, truth)

  await open('')
  for (const [label, value] of Object.entries({ ...machine, Hostname: server.hostname }))
    await compare(
      `overview, ${label}`,
      async () => (await factsOf(page))[label],
      () => value,
    )
  for (const [label, value] of Object.entries(meters))
    await compare(
      `overview, ${label}`,
      async () => (await metersOf(page))[label],
      () => value,
    )
  await compare(
    'overview, updates',
    async () => (await textOf(page)).includes(updates),
    () => true,
  )
  await compare(
    'overview, state',
    () => page.locator('main .rounded-chip', { hasText: /\w/ }).first().innerText(),
    () => 'Reachable',
  )
  await open('sites')
  await compare(
    'sites',
    () => columnOf(page, 'domain'),
    () => sites.map(({ domain }) => domain),
  )
  await open('cron')
  await compare(
    'cron',
    () => columnOf(page, 'command'),
    () => server.cronjobs.map(({ command }) => command),
  )
  await open('users')
  await compare(
    'users',
    () => columnOf(page, 'name'),
    () => server.users.map(({ name }) => name),
  )
  await open('firewall')
  const firewall = () => page.getByRole('switch', { name: 'Firewall' }).getAttribute('aria-checked')
  await compare('firewall', firewall, () => String(server.firewall))
  await compare(
    'firewall, rules',
    async () => (await columnOf(page, 'rule')).length,
    () => server.rules.length,
  )
  await open('logs')
  await compare(
    'logs',
    async () => (await textOf(page)).includes('first line of auth'),
    () => true,
  )
  await open('mail')
  await compare(
    'mail',
    () => columnOf(page, 'recipient'),
    () => server.messages.map(({ recipient }) => recipient),
  )
  await open('backups')
  await compare(
    'backups',
    () => columnOf(page, 'name'),
    () => server.backups.map(({ name }) => name),
  )
  await compare(
    'backups, sizes',
    () => columnOf(page, 'size'),
    () => server.backups.map(() => serverBackup),
  )
  await compare(
    'backups, total',
    async () => /\d+ backups?, [\d.]+ \wB in total/.exec(await textOf(page))?.[0],
    () => `1 backup, ${serverBackup} in total`,
  )
  await open('settings')
  await compare(
    'settings',
    () => page.getByRole('textbox', { name: 'Hostname' }).inputValue(),
    () => server.hostname,
  )
}

/** What DNS says of the site's name: where the service tells what is expected, with the judgement of the two. */
function recordsOf({ tellsParts }: Dialect) {
  if (!tellsParts) return { A: 'Found Not known', MX: 'Found Not known', 'Server address': notTold }
  return { A: `Found ${machine.IPv4} Expected ${machine.IPv4} Matches`, MX: `Found ${mailServer}`, 'Server address': machine.IPv4 }
}

/** Without the rows of days. */
export const backupsOn = async (page: Page): Promise<string[]> => (await columnOf(page, 'name')).filter((name) => name.endsWith('.tar.gz'))

/** url: of the site in the portal. */
export async function judgeSite(judging: Judging, url: string, site: UpstreamSite) {
  const { judge, page, dialect } = judging
  const open = (tab: string) => page.goto(`${url}/${tab}`)
  const compare = (tab: string, told: () => Promise<unknown>, truth: () => unknown) => judge.compare(`site: ${tab}`, told, truth)

  await open('')
  const records = recordsOf(dialect)
  for (const [label, value] of Object.entries({ ...records, Usage: siteSizes.usage }))
    await compare(
      `overview, ${label}`,
      async () => (await factsOf(page))[label] ?? notTold,
      () => value,
    )
  await open('app')
  await compare(
    'app',
    async () => pick(await factsOf(page), ['App', 'Version']),
    () => ({ App: site.app.name, Version: site.app.version }),
  )
  await open('aliases')
  await compare(
    'aliases',
    () => columnOf(page, 'alias'),
    () => [...site.aliases].sort(),
  )
  await compare(
    'aliases, DNS',
    () => columnOf(page, 'points'),
    () => site.aliases.map(() => (dialect.tellsParts ? 'Matches' : '')),
  )
  await open('ssl')
  await compare(
    'SSL',
    () => chipOf(page, 'SSL'),
    () => (site.ssl ? 'On' : 'Off'),
  )
  await open('email')
  await compare(
    'email',
    () => chipOf(page, 'Email'),
    () => (site.email ? 'On' : 'Off'),
  )
  await compare(
    'email, addresses',
    () => columnOf(page, 'destination'),
    () => site.emails.map(({ destination }) => destination),
  )
  await open('backups')
  await compare(
    'backups',
    () => backupsOn(page),
    () => site.backups.map(({ name }) => name),
  )
  // The first row is the day, with how many there are.
  await compare(
    'backups, sizes',
    () => columnOf(page, 'size'),
    () => ['1 backup', siteSizes.backup],
  )
  await judgeDatabase(judging, url, site)
}

async function judgeDatabase({ judge, page, dialect: { refusesDatabases, tellsParts } }: Judging, url: string, site: UpstreamSite) {
  await page.goto(`${url}/database`)
  if (refusesDatabases === null) {
    await judge.compare(
      'site: database',
      async () => pick(await factsOf(page), ['Name', 'Server address']),
      () => ({
        Name: 'site_db',
        'Server address': tellsParts ? machine.IPv4 : notTold,
      }),
    )
    await judge.compare(
      'site: tables',
      () => columnOf(page, 'name'),
      () => site.tables,
    )
    return
  }
  const said = async () => {
    const text = await textOf(page)
    return { refused: text.includes(refusesDatabases), keyRejected: /API key/.test(text) }
  }
  await judge.compare('site: database', said, () => ({ refused: true, keyRejected: false }))
  // The refusal belongs to the database alone.
  await page.goto(`${url}/backups`)
  await judge.compare(
    'site: after a refusal',
    () => page.getByRole('button', { name: 'Create backup' }).count(),
    () => 1,
  )
}
