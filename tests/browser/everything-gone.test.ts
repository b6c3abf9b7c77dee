/**
 * Two servers with five sites and two nights of copies; then one server is lost. Its sites come back on a new one by the pages, all five come back by the
 * recovery kit alone, and the summary of the morning in a mail and a webhook says how the nights went. docs/when-everything-is-gone.md
 */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { findInstalled } from '../hosts/installed'
import { type Host, type Release, startHost } from '../hosts/lab/lab'
import { gatewayAddress } from '../hosts/lab/network'
import { someDebians } from '../hosts/releases'
import { type BucketServer, startBucketServer } from '../support/bucket-server'
import { commandsOf } from '../support/documented-commands'
import { startEmptyDns } from '../support/empty-dns'
import { startHookReceiver } from '../support/hook-receiver'
import { startMailServer } from '../support/mail-server'
import { query } from '../support/place-database'
import { openChance } from '../support/seeds'
import { type TeamVisit, visitTeam } from '../support/team-visit'
import { addHost } from './add-host'

const run = promisify(execFile)
const chance = openChance()
const patience = { timeout: 300_000 }
const dayMs = 86_400_000

const sitesOf = { 'web-1': ['one.test', 'two.test', 'three.test'], 'web-2': ['four.test', 'five.test'] } as const

type Scene = { visit: TeamVisit; release: Release; bucket: BucketServer }

const must = async (host: Host, command: string, stdin = ''): Promise<string> => {
  const { code, stdout, stderr } = await host.run(command, { stdin, timeoutMs: 300_000 })
  if (code !== 0) throw new Error(`${command}: ${stderr || stdout}`)
  return stdout
}

/** Adds an installed Debian by its page, and lets Gatehouse install it once more, which changes nothing. Resolves with the server's id. */
async function addServer({ visit: { page, gatehouse } }: Scene, name: string, host: Host): Promise<string> {
  await page.goto(`${gatehouse.url}/servers`)
  await addHost(page, name, host)
  const id = /\/servers\/([^/]+)/.exec(page.url())?.[1] ?? ''
  await page.getByRole('button', { name: 'Install', exact: true }).click()
  await page.getByText('is installed.').waitFor(patience)
  return id
}

async function createSite({ visit: { page, owner, gatehouse } }: Scene, serverId: string, domain: string): Promise<void> {
  const fields = { serverId, domain, password: 'A-quiet-harbour-9' }
  const { value } = await owner.act('app/(portal)/sites/actions.ts createSite', fields)
  await page.goto(`${gatehouse.url}/jobs/${(value as { data: { jobId: string } }).data.jobId}`)
  await page
    .getByText(/ was created\.$/)
    .first()
    .waitFor(patience)
}

/** The user of the site on its server, which is also the name of its database. */
async function userOf({ visit: { place } }: Scene, domain: string): Promise<string> {
  // The service keeps the rows of a server that was removed.
  const [found] = await query(place, 'service', `SELECT name FROM Site WHERE domain = '${domain}' ORDER BY rowid DESC`)
  return String(found?.name)
}

/** What visitors of a site made until this night. */
async function fill(scene: Scene, host: Host, domain: string, night: number): Promise<void> {
  const user = await userOf(scene, domain)
  await must(
    host,
    `cd /home/${user}/public && runuser -u ${user} -- sh -c 'mkdir -p "night ${night}" && head -c 300000 /dev/urandom >"night ${night}/image" && printf "<h1>${domain}</h1>" >index.html && ln -sf "night ${night}/image" newest'`,
  )
  await must(host, `mariadb ${user}`, `CREATE TABLE IF NOT EXISTS words (word TEXT); INSERT INTO words VALUES ('Zürich ${night}')`)
}

const listFiles = `find . -mindepth 1 -printf '%p %y %m %l\\n' | sort; find . -type f -print0 | sort -z | xargs -0 sha256sum`

/** Files and rows of a site, as a text. */
async function contentOf(scene: Scene, host: Host, domain: string): Promise<string> {
  const user = await userOf(scene, domain)
  const files = await must(host, `cd /home/${user}/public && LC_ALL=C.UTF-8 bash -s`, listFiles)
  return `${files}${await must(host, `mariadb -N -e 'SELECT * FROM words ORDER BY word' ${user}`)}`
}

/** Makes the schedule due, as if days had passed since the night before, and waits until every site and server is copied. */
async function passNight({ visit: { place } }: Scene, hosts: readonly Host[], copied: number): Promise<void> {
  for (const host of hosts) await must(host, 'systemctl start gatehouse-backup.service')
  const earlier = new Date(Date.now() - 2 * dayMs).toISOString().slice(0, 10)
  await query(place, 'portal', 'DELETE FROM NightCopy')
  await query(place, 'portal', `UPDATE BackupPlan SET night = '', setAt = '${earlier}' || substr(setAt, 11)`)
  const copies = () =>
    query(place, 'portal', `SELECT state, problem, count(*) AS copied FROM NightCopy WHERE copyId = '' GROUP BY state, problem`)
  await expect.poll(copies, { timeout: 400_000, interval: 1000 }).toEqual([{ state: 'done', problem: '', copied }])
}

async function downloadKit({ visit: { page, gatehouse } }: Scene): Promise<string> {
  await page.goto(`${gatehouse.url}/team/backup-targets`, { waitUntil: 'networkidle' })
  await page.getByRole('button', { name: 'Recovery kit' }).click()
  const dialog = page.getByRole('dialog', { name: 'Recovery kit' })
  const [saved] = await Promise.all([page.waitForEvent('download', patience), dialog.getByRole('button', { name: 'Download kit' }).click()])
  const kit = await readFile(await saved.path(), 'utf8')
  await dialog.getByLabel('Confirmation code').fill(/confirmation code (\S+)/.exec(kit)?.[1] ?? '')
  await dialog.getByRole('button', { name: 'Confirm kit' }).click()
  await page.getByText('The copies in Copies are safe.').waitFor(patience)
  return kit
}

/** The folder in which the commands of the kit ran. */
async function restoreByKit(kit: string): Promise<string> {
  const there = await mkdtemp(join(tmpdir(), 'gatehouse-kit-'))
  onTestFinished(() => rm(there, { recursive: true, force: true }))
  const commands = kit.split('\n').filter((line) => line.startsWith('    ') && !line.includes('apt-get'))
  await run('bash', ['-euc', commands.join('\n')], { cwd: there, env: { ...process.env, HOME: there }, maxBuffer: 10_000_000 })
  return there
}

/** Its owner restores the newest copy of the site that is gone into the one of the same name. */
async function restoreByPage({ visit: { page, gatehouse } }: Scene, domain: string): Promise<void> {
  await page.goto(`${gatehouse.url}/sites`)
  await page.getByRole('link', { name: domain, exact: true }).click(patience)
  await page
    .getByRole('navigation', { name: /^Pages of/ })
    .getByRole('link', { name: 'Backups' })
    .click()
  const section = page.getByRole('region', { name: 'Copies elsewhere' })
  await section
    .getByRole('button', { name: /^Restore / })
    .first()
    .click(patience)
  const dialog = page.getByRole('dialog', { name: 'Restore copy' })
  await dialog.getByLabel(domain).fill(domain)
  await dialog.getByRole('button', { name: 'Restore copy' }).click()
  await page.getByText(`${domain} was restored.`).first().waitFor(patience)
}

/** The site on a Debian that Gatehouse has never seen, by the documented commands. */
async function serveWithoutGatehouse(release: Release, there: string, domain: string): Promise<void> {
  await using plain = await startHost({ login: { kind: 'root-password' }, name: 'plain', release })
  const { stdout: packed } = await run('bash', ['-c', `tar -cz ${domain} | base64`], { cwd: there, maxBuffer: 50_000_000 })
  await must(plain, 'base64 -d | tar -xz -C /root', packed)
  await must(
    plain,
    `cd /root; domain=${domain}; export DEBIAN_FRONTEND=noninteractive; apt-get -qq update; apt-get -qq install curl >/dev/null; bash -eus`,
    `domain=${domain}\n${commandsOf('docs/when-everything-is-gone.md', 'serve-site')}`,
  )
  expect(await must(plain, `curl -fsS -H 'Host: ${domain}' http://127.0.0.1/`)).toBe(`<h1>${domain}</h1>`)
  expect(await must(plain, `mariadb -N -e 'SELECT word FROM words' ${domain.replace('.', '_')}`)).toBe('Zürich 1\nZürich 2\n')
}

const seeBackups = async (page: Page, url: string, said: RegExp): Promise<void> => {
  await page.goto(`${url}/backups`, { waitUntil: 'networkidle' })
  await page.getByText(said).first().waitFor(patience)
}

test.each(someDebians(chance))(
  `on $debian: one of two servers is lost, and everything comes back by the page and by the kit alone, SEED=${chance.seed}`,
  { timeout: 1_800_000 },
  async ({ release }) => {
    await using names = await startEmptyDns()
    await using mail = await startMailServer()
    await using hook = await startHookReceiver()
    await using bucket = await startBucketServer(gatewayAddress)
    const image = await findInstalled(release)
    const start = (name: string) => startHost({ login: { kind: 'root-password' }, release, image, name })
    await using lost = await start('web-1')
    await using kept = await start('web-2')
    const settings = {
      DNS_SERVERS: names.address,
      ALLOW_PRIVATE_UPSTREAMS: '198.51.100.0/24,127.0.0.0/8',
      SMTP_URL: mail.url,
      MAIL_FROM: 'gatehouse@northwind.test',
    }
    await using visit = await visitTeam(settings)
    const { page, owner, gatehouse, place } = visit
    const scene: Scene = { visit, release, bucket }
    const serverIds = { 'web-1': await addServer(scene, 'web-1', lost), 'web-2': await addServer(scene, 'web-2', kept) }
    for (const name of ['web-1', 'web-2'] as const) for (const domain of sitesOf[name]) await createSite(scene, serverIds[name], domain)

    await owner.act('app/(portal)/team/backup-targets/actions.ts addBackupTarget', bucket.fields)
    const channel = { label: 'Morning', kind: 'webhook', url: `${hook.origin}/morning`, digestAt: '23:59', timeZone: 'UTC', keeper: 'team' }
    await owner.act('app/_shared/channels/actions.ts addChannel', channel)
    await owner.act('app/_shared/channels/actions.ts addChannel', {
      ...channel,
      label: 'Mail',
      kind: 'mail',
      url: '',
      email: 'ops@northwind.test',
    })
    await page.goto(`${gatehouse.url}/team/backup-targets`, { waitUntil: 'networkidle' })
    await page
      .getByRole('button', { name: /^(Set schedule|Schedule copies|Add schedule|Schedule)$/ })
      .first()
      .click()
    const dialog = page.getByRole('dialog', { name: 'Schedule copies' })
    await dialog.getByLabel('Starts at').selectOption('0')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })

    for (const night of [1, 2]) {
      for (const domain of sitesOf['web-1']) await fill(scene, lost, domain, night)
      for (const domain of sitesOf['web-2']) await fill(scene, kept, domain, night)
      await passNight(scene, [lost, kept], 7)
    }
    const kit = await downloadKit(scene)
    await seeBackups(page, gatehouse.url, /\d (sites|sites and servers) have a good backup of the last 26 hours/)
    const before = new Map<string, string>()
    for (const domain of sitesOf['web-1']) before.set(domain, await contentOf(scene, lost, domain))
    for (const domain of sitesOf['web-2']) before.set(domain, await contentOf(scene, kept, domain))

    // The morning after.
    await query(place, 'portal', `UPDATE Channel SET digestAt = 0, digestedOn = '2000-01-01'`)
    await expect.poll(() => hook.received.map(({ body }) => body).join('\n'), patience).toMatch(/5 of 5 sites/)
    await expect.poll(() => mail.received.map(({ text }) => text).join('\n'), patience).toMatch(/5 of 5 sites/)

    await lost[Symbol.asyncDispose]()
    await using fresh = await start('web-3')
    const freshId = await addServer(scene, 'web-3', fresh)
    // Its sites leave the list with it; their copies stay at the target.
    await owner.act('app/(portal)/servers/[serverId]/actions.ts deleteServer', {
      serverId: serverIds['web-1'],
      confirmName: 'web-1',
    })
    for (const domain of sitesOf['web-1']) {
      await createSite(scene, freshId, domain)
      await restoreByPage(scene, domain)
      expect(await contentOf(scene, fresh, domain), domain).toBe(before.get(domain))
    }
    await seeBackups(page, gatehouse.url, /\d (sites|sites and servers) have a good backup of the last 26 hours/)

    const there = await restoreByKit(kit)
    for (const [domain, content] of before) {
      const { stdout } = await run('bash', ['-c', listFiles], {
        cwd: join(there, domain, 'files/public'),
        env: { ...process.env, LC_ALL: 'C.UTF-8' },
      })
      expect(content.startsWith(stdout), domain).toBe(true)
      expect(readFileSync(join(there, domain, 'database.sql'), 'utf8')).toMatch(/'Zürich 1'[\s\S]*'Zürich 2'/)
    }
    await writeFile(join(there, 'kit.txt'), kit)
    await serveWithoutGatehouse(release, there, 'one.test')
    expect(visit.visitor.complaints).toEqual([])
  },
)
