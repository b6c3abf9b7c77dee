/** The main job as a newcomer does it: from the first account to an installed, then deleted server; on a real host and on a simulated one. */
import { join } from 'node:path'
import { createClient } from '@libsql/client'
import { expect, test } from 'vitest'
import { type Host, startHost } from '../hosts/lab/lab'
import { openChromium } from '../support/chromium'
import { addSandbox, createAccount, deleteServer } from '../support/first-steps'
import { makePlace, startGatehouse } from '../support/gatehouse-process'
import { startRecordingProxy } from '../support/recording-proxy'
import { disguisesOf, readBundledKey } from '../support/stored-key'
import { proveUsersAndFirewall } from './real-server-pages'

/** Rows of one of the two databases of a running Gatehouse. */
async function query(dir: string, side: 'portal' | 'service', sql: string): Promise<Record<string, unknown>[]> {
  const client = createClient({ url: `file:${join(dir, 'data', side, `${side}.db`)}` })
  const { rows, columns } = await client.execute(sql)
  client.close()
  return rows.map((row) => Object.fromEntries(columns.map((name) => [name, row[name]])))
}

type Page = Awaited<ReturnType<typeof openChromium>>['page']

const percent = async (page: Page) => Number(await page.getByRole('progressbar').first().getAttribute('aria-valuenow'))

/** Ticks one thing of a list on a page of the server and deletes it by its typed number. */
async function deleteOne(page: Page, box: RegExp, thing: string): Promise<void> {
  await page.getByRole('checkbox', { name: box }).check()
  await page.getByRole('button', { name: `Delete 1 ${thing}` }).click()
  await page.getByLabel('Type 1 to confirm').fill('1')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: `Delete 1 ${thing}` })
    .click()
  await page.getByText(`The ${thing} was deleted.`).waitFor()
}

/** A login really stands in the log, a message is really taken out of the queue, an old backup really deleted. */
async function lookAfter(page: Page, host: Host): Promise<void> {
  const open = (tab: string) => page.getByRole('navigation', { name: 'Pages of web-fra-01' }).getByRole('link', { name: tab }).click()
  await host.run("logger -p auth.info -t sshd 'Accepted password for ada from 192.0.2.7 port 5 ssh2'")
  await open('Logs')
  await page.getByRole('region', { name: /^Log / }).getByText('Accepted password for ada from 192.0.2.7').waitFor()

  await host.run(`postconf -e defer_transports=smtp && systemctl restart postfix
    printf 'Subject: x\\n\\nx\\n' | sendmail -f shop@example.net late@example.org`)
  await expect.poll(async () => (await host.run('postqueue -j')).stdout).toContain('late@example.org')
  await open('Mail')
  await deleteOne(page, /from shop@example\.net$/, 'message')
  expect((await host.run('postqueue -j')).stdout).not.toContain('late@example.org')

  await host.run("systemctl start gatehouse-backup.service; touch -d '3 days ago' '/var/backups/gatehouse/old one.tar.gz'")
  await open('Backups')
  await page.getByRole('row', { name: /backup-.*Proven/ }).waitFor()
  await deleteOne(page, /^Select old one\.tar\.gz$/, 'backup')
  expect((await host.run('ls /var/backups/gatehouse')).stdout).toMatch(/^backup-[\d-]+\.tar\.gz\n$/)
}

test('on a real Debian 12 host: registered, installed live through reloads and a killed portal, summed up, deleted', {
  timeout: 420_000,
}, async () => {
  await using proxy = await startRecordingProxy()
  using place = await makePlace({ PUBLIC_URL: `http://localhost:${proxy.port}` })
  proxy.forwardTo(place.port)
  await using host = await startHost({ login: { kind: 'root-password' }, name: 'web-fra-01' })
  const first = await startGatehouse(place)
  await using visitor = await openChromium()
  const { page } = visitor
  await createAccount(page, first.setupLink ?? '')

  await page.getByRole('link', { name: 'Add server' }).first().click()
  await page.getByLabel('Server address').fill(host.ip)
  await page.getByLabel('User').fill(host.login.user)
  await page.getByLabel('Password', { exact: true }).fill(host.login.pass)
  await page.getByLabel('Name', { exact: true }).fill('web-fra-01')
  await page.getByRole('button', { name: 'Test connection' }).click()
  await expect
    .poll(() => page.getByRole('group', { name: 'Host key' }).textContent(), { timeout: 20_000 })
    .toContain(await host.hostKeyFingerprint())
  const sent = page.waitForRequest((request) => request.method() === 'POST')
  await page.getByRole('button', { name: 'Add server' }).click()
  expect((await sent).postData()).toContain(await host.hostKeyFingerprint())
  await page.waitForURL('**/servers/*/install')

  await page.getByRole('button', { name: 'Install', exact: true }).click()
  await expect.poll(() => percent(page), { timeout: 60_000 }).toBeGreaterThan(5)
  for (const floor of [10, 20]) {
    await page.reload()
    await expect.poll(() => percent(page), { timeout: 120_000 }).toBeGreaterThan(floor)
  }

  await first.stop('SIGKILL')
  await using _again = await startGatehouse(place)
  await page.getByText('is installed.').waitFor({ timeout: 300_000 })
  const apache = await fetch(`http://${host.ip}/`)
  expect(apache.headers.get('server')).toMatch(/Apache/)
  expect(await query(place.dir, 'service', 'SELECT count(*) AS runs FROM "InstallRun"')).toEqual([{ runs: 1 }])
  const [lines] = await query(
    place.dir,
    'portal',
    'SELECT count(*) AS rows, max(seq) AS last, count(DISTINCT upstreamId) AS ids FROM "JobEvent"',
  )
  const [events] = await query(place.dir, 'service', 'SELECT count(*) AS events FROM "InstallEvent"')
  expect(lines).toEqual({ rows: events?.events, last: events?.events, ids: events?.events })

  await page.getByRole('link', { name: 'See the server' }).click()
  const kernel = (await host.run('uname -r')).stdout.trim()
  await expect.poll(() => page.locator('main').textContent(), { timeout: 30_000 }).toContain(kernel)
  const shown = (await page.locator('main').textContent()) ?? ''
  const php = (await host.run('php -r "echo PHP_MAJOR_VERSION.chr(46).PHP_MINOR_VERSION;"')).stdout
  for (const fact of [host.ip, php, 'Apache', 'MariaDB']) expect(shown).toContain(fact)
  await lookAfter(page, host)

  await proveUsersAndFirewall(page, host)
  await deleteServer(page, 'web-fra-01')
  expect((await host.run('cat /root/.ssh/authorized_keys 2>/dev/null')).stdout).not.toContain('gatehouse')
  expect((await host.run('ls -d /etc/sudoers.d/gatehouse /etc/gatehouse /var/lib/gatehouse 2>/dev/null')).stdout).toBe('')
  expect((await fetch(`http://${host.ip}/`)).headers.get('server')).toMatch(/Apache/)

  expect(visitor.complaints).toEqual([])
  const recorded = proxy.recorded()
  for (const disguise of disguisesOf(await readBundledKey(place.dir))) expect(recorded.includes(disguise)).toBe(false)
  expect(recorded.includes(host.login.pass)).toBe(false)
})

test('on a sandbox server: the same without a machine', { timeout: 180_000 }, async () => {
  await using proxy = await startRecordingProxy()
  using place = await makePlace({ PUBLIC_URL: `http://localhost:${proxy.port}` })
  proxy.forwardTo(place.port)
  const first = await startGatehouse(place)
  await using visitor = await openChromium()
  const { page } = visitor
  await createAccount(page, first.setupLink ?? '')
  await addSandbox(page, `http://localhost:${proxy.port}`, 'slow-harbour')
  await page.getByRole('button', { name: 'Install', exact: true }).click()
  await expect.poll(() => percent(page), { timeout: 60_000 }).toBeGreaterThan(5)
  for (const floor of [10, 15]) {
    await page.reload()
    await expect.poll(() => percent(page), { timeout: 60_000 }).toBeGreaterThan(floor)
  }
  await first.stop('SIGKILL')
  await using _again = await startGatehouse(place)
  await page.getByText('is installed.').waitFor({ timeout: 120_000 })
  await page.getByRole('link', { name: 'See the server' }).click()
  await expect.poll(() => page.locator('main').textContent(), { timeout: 30_000 }).toMatch(/Apache 2\.4/)
  expect(await page.getByText('Sandbox').count()).toBeGreaterThan(0)
  await deleteServer(page, 'slow-harbour')
  expect(visitor.complaints).toEqual([])
  const recorded = proxy.recorded()
  for (const disguise of disguisesOf(await readBundledKey(place.dir))) expect(recorded.includes(disguise)).toBe(false)
})
