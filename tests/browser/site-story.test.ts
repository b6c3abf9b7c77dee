/**
 * The life of two sites in a browser, on real hosts: created, attacked from inside, given SSL and an alias, a database password, a web
 * server that was broken by hand, and deleted. The same steps on fresh hosts and on one whose own Apache already served two sites.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { type Authority, startAuthority } from '../hosts/lab/authority'
import { type Host, type Release, startHost } from '../hosts/lab/lab'
import { attemptsPage } from '../hosts/sites/attempts'
import { visitSecurely } from '../hosts/sites/https'
import { ownNames, setUpOwnApache } from '../hosts/sites/own-apache'
import { sftp, shell } from '../hosts/sites/sftp'
import { visit } from '../hosts/sites/site-job'
import { openChromium } from '../support/chromium'
import { createAccount } from '../support/first-steps'
import { type Place, startGatehouse } from '../support/gatehouse-process'
import { query } from '../support/place-database'
import { isSoak, openChance } from '../support/seeds'
import { addHost } from './add-host'
import { makeAuthorityPlace } from './authority-place'
import { openSitePage } from './site-page'

const patience = { timeout: 300_000 }

const serverName = 'web-fra-01'

type Kind = { release: Release; before?: (host: Host) => Promise<void> }

const nginx = async (host: Host) => {
  const { code, stderr } = await host.run('apt-get -q update && apt-get -q -y install nginx-light && systemctl start nginx')
  if (code !== 0) throw new Error(stderr)
}

const hosts: readonly [on: string, Kind][] = [
  ['Debian 12', { release: 'bookworm' }],
  ['Debian 13', { release: 'trixie' }],
  ['Debian 12 with an Apache that serves two sites', { release: 'bookworm', before: setUpOwnApache }],
  ['Debian 13 with an Apache that serves two sites', { release: 'trixie', before: setUpOwnApache }],
]

const chance = openChance()
const chosen = isSoak ? hosts : [chance.pick(hosts)]

type Site = { domain: string; name: string; password: string }

type Story = { page: Page; url: string; host: Host; place: Place; authority: Authority }

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const must = async (host: Host, command: string): Promise<string> => {
  const { code, stdout, stderr } = await host.run(command)
  if (code !== 0) throw new Error(`${command}: ${stderr || stdout}`)
  return stdout
}

/** Gatehouse with the host as its one installed server, as a user gets there. */
async function openStory({ release, before }: Kind, tell: (story: Story) => Promise<void>): Promise<void> {
  await using authority = await startAuthority()
  using place = await makeAuthorityPlace(authority)
  await using host = await startHost({ login: { kind: 'root-password' }, name: serverName, release })
  await before?.(host)
  await using gatehouse = await startGatehouse(place)
  await using visitor = await openChromium()
  const { page } = visitor
  await createAccount(page, gatehouse.setupLink ?? '')
  await addHost(page, serverName, host)
  await button(page, 'Install').click()
  await page.getByText('is installed.').waitFor({ timeout: 900_000 })
  // Packages come by a proxy that the lab's own name server knows, not this one.
  await authority.serveNames(host)
  await tell({ page, url: gatehouse.url, host, place, authority })
  expect(visitor.complaints).toEqual([])
}

async function createSite({ page, url, place, authority, host }: Story, domain: string): Promise<Site> {
  for (const name of [domain, `www.${domain}`]) await authority.addAddresses(name, [host.ip])
  await page.goto(`${url}/sites/new`)
  await page.getByLabel('Domain').fill(domain)
  const password = await page.getByRole('textbox', { name: 'Password' }).inputValue()
  await button(page, 'Add site').click()
  await page.getByText(`${domain} was created.`).waitFor(patience)
  const [row] = await query(place, 'service', `SELECT name FROM Site WHERE domain = '${domain}'`)
  expect(await visit(host, domain)).toMatch(/^200 .*This site is ready/s)
  // The form leads it to the domain.
  expect(await visit(host, `www.${domain}`)).toMatch(/^301 /)
  return { domain, name: String(row?.name), password }
}

const openPage = ({ page, url }: Story, { domain }: Site, tab: string): Promise<void> =>
  openSitePage(page, { url, domain, tab }, patience.timeout)

/** Uploads a file as the user of the site does: by SFTP, with the password that the page showed. */
async function uploadBySftp({ host, place }: Story, { name, password }: Site, path: string, text: string): Promise<void> {
  const local = join(place.dir, 'upload')
  await writeFile(local, text)
  expect(await sftp(host, name, password, [`put ${local} /public/${path}`])).toContain('Uploading')
}

async function setDatabasePassword(story: Story, site: Site): Promise<string> {
  const { page } = story
  await openPage(story, site, 'Database')
  await button(page, 'Set password').first().click()
  const dialog = page.getByRole('dialog')
  const password = await dialog.getByLabel('Password').inputValue()
  await dialog.getByLabel('Password').press('Enter')
  await expect.poll(() => dialog.locator('code').first().textContent(), patience).toBe(password)
  await dialog.getByRole('button', { name: 'Done' }).click()
  return password
}

/** From inside the first site, nothing of the second can be reached: by PHP, by links over SFTP, by .htaccess, by SSH. */
async function attackNeighbour(story: Story, attacker: Site, other: Site): Promise<void> {
  const { host } = story
  const databasePassword = await setDatabasePassword(story, attacker)
  await uploadBySftp(story, attacker, 'attempts.php', attemptsPage(other.name, databasePassword, attacker.name))
  const said = await visit(host, attacker.domain, '/attempts.php')
  expect(said).toContain('own database: connected')
  expect(said).not.toContain('REACHED')
  await uploadBySftp(story, other, 'secret.txt', 'of the other')
  expect(await visit(host, other.domain, '/secret.txt')).toBe('200 of the other')
  await sftp(host, attacker.name, attacker.password, [
    `symlink /home/${other.name}/public/secret.txt /public/link.txt`,
    `symlink ../../../${other.name}/public/secret.txt /public/up.txt`,
  ])
  const socket = `/run/gatehouse-sites/${other.name}/php.sock`
  const directives = `SetHandler "proxy:unix:${socket}|fcgi://x"\nOptions +FollowSymLinks\nSetEnv PHP_ADMIN_VALUE "auto_prepend_file=/etc/passwd"\n`
  const rewrite = `RewriteEngine On\nRewriteRule ^reach$ "unix:${socket}|fcgi://x/home/${other.name}/public/secret.txt" [P]\n`
  await uploadBySftp(story, attacker, '.htaccess', directives + rewrite)
  for (const path of ['/link.txt', '/up.txt', '/reach', '/secret.txt']) {
    expect(await visit(host, attacker.domain, path)).not.toContain('of the other')
  }
  expect(await sftp(host, attacker.name, attacker.password, [`get /home/${other.name}/public/secret.txt /dev/null`])).toMatch(/not found/)
  expect(await shell(host, attacker.name, attacker.password, [])).toMatch(/sftp connections only/i)
}

async function switchSslOn(story: Story, site: Site): Promise<void> {
  const { page, host, authority } = story
  await openPage(story, site, 'SSL')
  await button(page, 'Turn on SSL').click(patience)
  await button(page, 'Turn off SSL').waitFor(patience)
  expect(await visitSecurely(host, site.domain, await authority.chainRoot())).toMatchObject({ status: 200 })
  expect(await visit(host, site.domain)).toMatch(/^301/)
}

async function addAlias(story: Story, site: Site, alias: string): Promise<void> {
  const { page, host, authority } = story
  await authority.addAddresses(alias, [host.ip])
  await openPage(story, site, 'Aliases')
  await page.getByLabel('Add aliases').fill(alias)
  await button(page, 'Add alias').click()
  await page.getByRole('list', { name: 'Outcome' }).getByText('Added').waitFor(patience)
  expect(await visitSecurely(host, alias, await authority.chainRoot())).toMatchObject({ status: 200 })
}

/** An application whose configuration has the password keeps its connection when the page changes it. */
async function keepConnected(story: Story, site: Site): Promise<void> {
  const password = await setDatabasePassword(story, site)
  const constants = { DB_NAME: site.name, DB_USER: site.name, DB_PASSWORD: password, DB_HOST: 'localhost' }
  const lines = Object.entries(constants).map(([name, value]) => `define( '${name}', '${value}' );`)
  await uploadBySftp(story, site, 'wp-config.php', `<?php\n${lines.join('\n')}\n`)
  const page =
    '<?php require "wp-config.php"; echo (new mysqli(DB_HOST, DB_USER, DB_PASSWORD, DB_NAME))->query("SELECT 42")->fetch_row()[0];'
  await uploadBySftp(story, site, 'connected.php', page)
  const connected = async () => visitSecurely(story.host, site.domain, await story.authority.chainRoot(), '/connected.php')
  expect(await connected()).toMatchObject({ text: '42' })
  expect(await setDatabasePassword(story, site)).not.toBe(password)
  expect(await connected()).toMatchObject({ text: '42' })
}

/** Apache is not reloaded with a configuration that it refuses, and the page says why. */
async function breakByHand(story: Story, broken: Site, changed: Site): Promise<void> {
  const { page, host, authority } = story
  const file = `/etc/apache2/sites-available/zz-gatehouse-${broken.name}.conf`
  await must(host, `cp ${file} /root/kept.conf && echo 'NoSuchDirective on' >>${file}`)
  await authority.addAddresses('later.test', [host.ip])
  await openPage(story, changed, 'Aliases')
  await page.getByLabel('Add aliases').fill('later.test')
  await button(page, 'Add alias').click()
  const outcome = page.getByRole('list', { name: 'Outcome' })
  await outcome.getByText(/Invalid command 'NoSuchDirective'/).waitFor(patience)
  await outcome.getByText(new RegExp(`zz-gatehouse-${broken.name}`)).waitFor()
  expect(await visit(host, broken.domain)).toMatch(/^200/)
  await must(host, `cp /root/kept.conf ${file}`)
}

/** Nothing has its name any more, and its last backup is where the page says. */
async function deleteSite(story: Story, { domain, name }: Site): Promise<void> {
  const { page, url, host } = story
  await page.goto(`${url}/sites`)
  await page.getByRole('link', { name: domain, exact: true }).click()
  await button(page, 'Delete site').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(/^Type/).fill(domain)
  await dialog.getByRole('button', { name: 'Delete site' }).click()
  await page.getByText(`${domain} was deleted.`).waitFor(patience)
  const backup = (await page.locator('code').filter({ hasText: '/var/backups/' }).textContent()) ?? ''
  expect(await must(host, `tar -tf '${backup}' | head -n 50`)).toContain('public')
  const named = `find / -xdev -name '*${name}*' -not -path '/proc/*' -not -path '/var/lib/gatehouse/*' -not -path '/var/backups/*'`
  expect(
    await must(
      host,
      `${named}; getent passwd ${name}; getent group ${name}; systemctl list-units --all --plain --no-legend '*${name}*'; true`,
    ),
  ).toBe('')
  expect(await must(host, `mariadb -NBe "SHOW DATABASES LIKE '${name}'; SELECT User FROM mysql.global_priv WHERE User = '${name}'"`)).toBe(
    '',
  )
  expect(await visit(host, domain)).not.toContain('This site is ready')
}

test.each(chosen)(
  `on %s, SEED=${chance.seed}: two sites live, are kept apart and change; what was there answers as before`,
  async (_on, kind) => {
    await openStory(kind, async (story) => {
      const { host } = story
      const answers = () => Promise.all(ownNames.map((name) => visit(host, name)))
      const before = kind.before ? await answers() : null
      const one = await createSite(story, 'one.test')
      const two = await createSite(story, 'two.test')
      await attackNeighbour(story, one, two)
      await switchSslOn(story, one)
      await addAlias(story, one, 'alias.test')
      await keepConnected(story, one)
      await breakByHand(story, two, one)
      await deleteSite(story, two)
      expect(await visit(host, 'one.test')).toMatch(/^301/)
      if (before) expect(await answers()).toEqual(before)
    })
  },
)

test.runIf(isSoak)('on a host with nginx: the page says why it gets no sites, and nothing is changed', async () => {
  await openStory({ release: 'bookworm', before: nginx }, async ({ page, url, host }) => {
    const before = await visit(host, 'any.test')
    await page.goto(`${url}/sites/new`)
    await page.getByLabel('Domain').fill('one.test')
    await button(page, 'Add site').click()
    await page
      .getByText(/nginx serves port 80/)
      .first()
      .waitFor(patience)
    expect(await visit(host, 'any.test')).toBe(before)
  })
})
