/**
 * Uses every page of an installed server once, as a user would, with the same steps for every server. On a real host the result
 * of each step is checked from outside; for a simulated server this is not possible.
 */
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { connect } from '@/lib/service/ssh/connect'
import type { Host } from '../hosts/lab/lab'
import { owner } from '../support/first-steps'
import type { Place } from '../support/gatehouse-process'
import { isOpen } from '../support/open-port'
import { letSignInsAge } from '../support/place-database'

export type InstalledServer = {
  page: Page
  place: Place
  /** As the portal calls it. */
  name: string
  /** The credentials of its login. */
  password: string
  host: Host | null
}

/** From a job that runs automatically to the server's deletion. Begins on its overview and ends on the list. */
export async function liveThrough(server: InstalledServer): Promise<void> {
  await addJob(server)
  await addUser(server)
  await openAndShutPort(server)
  await readLogin(server)
  await deleteMessage(server)
  await deleteBackup(server)
  await rename(server)
  await resetKey(server)
  await seeJobRan(server)
  await deleteServer(server)
}

const goTo = ({ page }: InstalledServer, tab: string) =>
  page
    .getByRole('navigation', { name: /^Pages of/ })
    .getByRole('link', { name: tab })
    .click()

const printed = async (host: Host, command: string): Promise<string> => (await host.run(command)).stdout

const ranFile = '/var/tmp/it ran'

async function addJob(server: InstalledServer): Promise<void> {
  const { page, host } = server
  const dialog = page.getByRole('dialog')
  await goTo(server, 'Cron')
  await page.getByRole('button', { name: 'Add job' }).first().click()
  await dialog.getByLabel('Paste a cron line').fill(`* * * * * /usr/bin/touch "${ranFile} $(date +\\%Y)"`)
  await dialog.getByRole('button', { name: 'Add job' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText(ranFile).filter({ visible: true }).waitFor()
  if (host) expect(await printed(host, 'crontab -l')).toContain(ranFile)
}

async function seeJobRan({ host }: InstalledServer): Promise<void> {
  if (host) await expect.poll(() => printed(host, 'ls /var/tmp'), { timeout: 70_000 }).toContain(`it ran ${new Date().getFullYear()}`)
}

/** A system user is added and logs in. */
async function addUser(server: InstalledServer): Promise<void> {
  const { page, host } = server
  const dialog = page.getByRole('dialog')
  await goTo(server, 'Users')
  await page.getByRole('button', { name: 'Add user' }).first().click()
  await dialog.getByLabel('Name').fill('anna')
  await dialog.getByRole('button', { name: 'Add user' }).click()
  await dialog.getByText('anna was added').waitFor()
  const password = (await dialog.locator('code').textContent()) ?? ''
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByText(/^ssh anna@/).waitFor()
  if (!host) return
  const login = await connect({ host: host.ip, port: host.port }, { user: 'anna', password }, undefined)
  await login.end()
}

async function openAndShutPort(server: InstalledServer): Promise<void> {
  const { page, host } = server
  const dialog = page.getByRole('dialog')
  await host?.run('systemd-run -q --unit=lab-web python3 -m http.server 8080')
  const reached = (open: boolean) => host && expect.poll(() => isOpen(host.ip, 8080)).toBe(open)
  await goTo(server, 'Firewall')
  await page.getByText('Only traffic that the rules below allow reaches').waitFor()
  await reached(false)
  await page.getByRole('button', { name: 'Add rule' }).click()
  await dialog.getByLabel('Port').fill('8080')
  await dialog.getByRole('button', { name: 'Add rule' }).click()
  const added = page.getByText('Added: Allow TCP port 8080 from anywhere.')
  await added.waitFor()
  await reached(true)
  await added.locator('..').getByRole('button', { name: 'Undo' }).click()
  await page.getByText('The rule was deleted again.').waitFor()
  await reached(false)
  await host?.run('systemctl stop lab-web')
}

async function readLogin(server: InstalledServer): Promise<void> {
  await goTo(server, 'Logs')
  const log = server.page.getByRole('region', { name: /^Log / })
  await log
    .getByText(server.host ? /Accepted password for anna from/ : /sshd\[\d+\]/)
    .last()
    .waitFor()
}

/** Selects one row of a list and deletes it by typing the number. */
async function deleteOne(page: Page, box: RegExp, thing: string): Promise<void> {
  const dialog = page.getByRole('dialog')
  await page.getByRole('checkbox', { name: box }).last().check()
  await page.getByRole('button', { name: `Delete 1 ${thing}` }).click()
  await dialog.getByLabel('Type 1 to confirm').fill('1')
  await dialog.getByRole('button', { name: `Delete 1 ${thing}` }).click()
  await page.getByText(`The ${thing} was deleted.`).waitFor()
}

async function deleteMessage(server: InstalledServer): Promise<void> {
  const { page, host } = server
  await host?.run(`postconf -e defer_transports=smtp && systemctl restart postfix
    printf 'Subject: x\\n\\nx\\n' | sendmail -f shop@example.net late@example.org`)
  const queued = host && (() => printed(host, 'postqueue -j'))
  if (queued) await expect.poll(queued).toContain('late@example.org')
  await goTo(server, 'Mail')
  await deleteOne(page, /^Select the message /, 'message')
  if (queued) expect(await queued()).not.toContain('late@example.org')
}

async function deleteBackup(server: InstalledServer): Promise<void> {
  const { page, host } = server
  await host?.run("systemctl start gatehouse-backup.service; touch -d '3 days ago' '/var/backups/gatehouse/old one.tar.gz'")
  await goTo(server, 'Backups')
  await page
    .getByRole('row', { name: /, nightly.*Verified/ })
    .first()
    .waitFor()
  await deleteOne(page, /^Select .*, (old one|before the move, by hand)\.tar\.gz$/, 'backup')
  if (host) expect(await printed(host, 'ls /var/backups/gatehouse')).toMatch(/^backup-[\d-]+\.tar\.gz\n$/)
}

async function rename(server: InstalledServer): Promise<void> {
  const { page, host } = server
  await goTo(server, 'Settings')
  const hostname = page.getByRole('textbox', { name: 'Hostname' })
  await hostname.fill('shop-7.example.org')
  await hostname.press('Enter')
  await page.getByText('Hostname changed to shop-7.example.org.').waitFor()
  if (!host) return
  expect(await printed(host, 'hostname')).toBe('shop-7.example.org\n')
  expect(await printed(host, 'grep -c 127.0.1.1 /etc/hosts')).toBe('1\n')
}

/** Both irreversible actions ask for the typed name, and for the portal's password if the sign-in is not recent. */
async function confirmDanger({ page, place, name }: InstalledServer, action: string, also?: () => Promise<void>): Promise<void> {
  const dialog = page.getByRole('dialog')
  await letSignInsAge(place)
  await page.getByRole('button', { name: action }).click()
  await also?.()
  await dialog.getByLabel(`Type ${name} to confirm`).fill(name)
  await dialog.getByRole('button', { name: action }).click()
  await dialog.getByLabel('Your password').fill(owner.password)
  await dialog.getByRole('button', { name: action }).click()
}

const ownKeys = (host: Host) => printed(host, 'grep gatehouse /root/.ssh/authorized_keys')

async function resetKey(server: InstalledServer): Promise<void> {
  const { page, name, password, host } = server
  const before = host && (await ownKeys(host))
  await confirmDanger(server, 'Rotate SSH key', async () => {
    await page.getByText('The server presents its known host key.').waitFor()
    await page.getByRole('dialog').getByLabel('Password').fill(password)
  })
  await page.getByText(`${name} has a new SSH key.`).waitFor()
  if (!host) return
  const after = await ownKeys(host)
  expect(after.match(/gatehouse/g)).toEqual(before?.match(/gatehouse/g))
  expect(after).not.toBe(before)
}

async function deleteServer(server: InstalledServer): Promise<void> {
  const { page, name, host } = server
  await confirmDanger(server, 'Delete server')
  await page.waitForURL('**/servers')
  await page.getByText(`${name} was deleted from the list.`).waitFor()
  await expect.poll(() => page.getByRole('link', { name }).count()).toBe(0)
  if (!host) return
  expect(await printed(host, 'cat /root/.ssh/authorized_keys 2>/dev/null')).not.toContain('gatehouse')
  expect(await printed(host, 'ls -d /etc/sudoers.d/gatehouse /etc/gatehouse /var/lib/gatehouse 2>/dev/null')).toBe('')
  expect((await fetch(`http://${host.ip}/`)).headers.get('server')).toMatch(/Apache/)
}
