/** The sandbox passes the same conformance tests as real hosts. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { logNames } from '@/lib/service/machines/logs'
import { get, post, readInstall, readUpgrade } from '../support/caller'
import { openTestService } from '../support/service'
import { createSite } from '../support/slow-work'
import { proveAdoption } from './adoption'
import { appOf, proveApps } from './apps'
import { proveCancel } from './cancel'
import { proveCron } from './cron'
import { proveEmail } from './email'
import { proveFirewall } from './firewall'
import { proveLastBackups } from './last-backups'
import { proveLogs, readLog } from './logs'
import { deleteMessages, proveMail } from './mail'
import { proveQueue } from './queue'
import { listBackups, proveBackups } from './server-backups'
import { register, serverPromises } from './servers'
import { proveServices } from './services'
import { proveHostname, proveResetKey, resetKey, setHostname } from './settings'
import { proveSftpKeys } from './sftp'
import { proveSiteBackups } from './site-backups'
import { proveSiteLogs, readSiteLog } from './site-logs'
import { proveSettings } from './site-settings'
import { proveSites } from './sites'
import { proveSsl } from './ssl'
import { proveStaging } from './staging'
import { proveTraffic } from './traffic'
import { proveUpdates } from './updates'
import { proveUpgrade } from './upgrade'
import { proveUsers } from './users'

test.each(serverPromises)('sandbox: $title', async ({ prove }) => {
  await using service = await openTestService({ sandboxPaceMs: 120 })
  await prove({
    baseUrl: service.baseUrl,
    key: service.key,
    findMachine: async () => ({ provider: 'sandbox', host: `${randomUUID()}.test`, port: '22', user: 'root', pass: 'let me in, please' }),
    unreachable: { host: 'unreachable.test', port: '22' },
    wrongPass: 'wrong',
  })
})

test('sandbox: cron jobs are saved, listed, refused and deleted by their content', async () => {
  await using service = await openTestService()
  const login = { provider: 'sandbox', host: 'cron.test', port: '22', user: 'root', pass: 'let me in, please' }
  const { id } = await register(service, login, 'cron')
  await proveCron({ ...service, id })
})

test('sandbox: a hostname is set, and an SSH key is rotated only with a valid login', async () => {
  await using service = await openTestService()
  const login = { provider: 'sandbox', host: 'settings.test', port: '22', user: 'root', pass: 'let me in, please' }
  const { id } = await register(service, login, 'settings')
  const target = { ...service, id, login, wrongPass: 'wrong' }
  await proveHostname(target)
  await proveResetKey(target)
})

test('sandbox: a server with a changed host key is accessible again after the new key is confirmed', async () => {
  await using service = await openTestService()
  const login = { provider: 'sandbox', host: 'changed.test', port: '22', user: 'root', pass: 'let me in, please' }
  const { id } = await register(service, login, 'settings')
  const target = { ...service, id, login, wrongPass: 'wrong' }
  expect(await setHostname(target, 'web')).toMatchObject({ status: 424, body: { code: 'host_key_changed' } })
  expect(await resetKey(target)).toMatchObject({ status: 424, body: { code: 'host_key_changed' } })
  const { body } = await resetKey(target, { host_key: 'ask' })
  expect(await resetKey(target, { host_key: String(body.host_key) })).toMatchObject({ status: 200 })
  expect(await setHostname(target, 'web')).toMatchObject({ status: 200 })
})

test('sandbox: system users are created, listed, given passwords, refused and deleted', async () => {
  await using service = await openTestService()
  const login = { provider: 'sandbox', host: 'users.test', port: '22', user: 'deploy', pass: 'let me in, please' }
  const { id } = await register(service, login, 'users')
  await proveUsers({ ...service, id, own: 'deploy' })
})

test('sandbox: the firewall is switched, rules are saved, listed, refused, deleted and restored, and we are never locked out', async () => {
  await using service = await openTestService()
  const login = { provider: 'sandbox', host: 'firewall.test', port: '22', user: 'root', pass: 'let me in, please' }
  const { id } = await register(service, login, 'firewall')
  await proveFirewall({ ...service, id, ours: '198.51.100.1' })
})

test('sandbox: the mail queue is listed and its messages deleted, and it does not exist before the install', async () => {
  await using service = await openTestService()
  const login = { provider: 'sandbox', host: 'mail.test', port: '22', user: 'root', pass: 'let me in, please' }
  const { id } = await register(service, login, 'mail')
  const target = { ...service, id }
  const early = { status: 409, body: { code: 'not_installed' } }
  expect(await get(service, `/servers/${id}/messages`)).toMatchObject(early)
  expect(await deleteMessages(target, ['ABCDEF12.1'])).toMatchObject(early)
  await readInstall(service, id)
  await proveMail(target)
})

test('sandbox: services are listed, all but SSH are restarted, and the counters grow', async () => {
  await using service = await openTestService()
  const login = { provider: 'sandbox', host: 'services.test', port: '22', user: 'root', pass: 'let me in, please' }
  const { id } = await register(service, login, 'services')
  await readInstall(service, id)
  await proveServices({ ...service, id }, { ...service, key: await service.createKey('stranger') })
})

test('sandbox: requests of a site are counted by hour', async () => {
  await using service = await openTestService({ siteChecksMs: 200 })
  const login = { provider: 'sandbox', host: 'traffic.test', port: '22', user: 'root', pass: 'let me in, please' }
  const { id } = await register(service, login, 'traffic')
  await readInstall(service, id)
  await proveTraffic({ ...service, id }, { ...service, key: await service.createKey('stranger') })
}, 60_000)

test('sandbox: logs are listed by name, grow, and there are more of them after the install', async () => {
  await using service = await openTestService()
  const login = { provider: 'sandbox', host: 'logs.test', port: '22', user: 'root', pass: 'let me in, please' }
  const { id } = await register(service, login, 'logs')
  const target = { ...service, id }
  await proveLogs(target)
  const before = await readLog(target, 'auth')
  expect(before.names).toEqual(['auth', 'journal'])
  await readInstall(service, id)
  expect((await readLog(target, 'install')).names).toEqual(logNames.filter((name) => name !== 'fail2ban'))
  await expect.poll(async () => (await readLog(target, 'auth')).lines.length).toBeGreaterThan(before.lines.length)
  const after = await readLog(target, 'auth')
  expect(after.lines.slice(0, before.lines.length - 1)).toEqual(before.lines.slice(0, -1))
})

test('sandbox: backups are listed and deleted by name, and there are none before the install', async () => {
  await using service = await openTestService()
  const login = { provider: 'sandbox', host: 'backups.test', port: '22', user: 'root', pass: 'let me in, please' }
  const { id } = await register(service, login, 'backups')
  const target = { ...service, id }
  expect(await listBackups(target)).toEqual([])
  await readInstall(service, id)
  expect((await listBackups(target)).filter(({ proven }) => proven)).toHaveLength(7)
  await proveBackups(target)
})

test('sandbox: sites are created, streamed, resumed, listed, refused and deleted, each exactly once', async () => {
  await using service = await openTestService({ siteChecksMs: 200 })
  const login = { provider: 'sandbox', host: 'sites.test', port: '22', user: 'root', pass: 'let me in, please' }
  const { id } = await register(service, login, 'sites')
  await readInstall(service, id)
  await proveSites({ ...service, id })
}, 60_000)

test('sandbox: backups of a site are made, listed, restored, refused and deleted, and a link to an archive is good for one download', async () => {
  await using service = await openTestService({ siteChecksMs: 200 })
  const login = { provider: 'sandbox', host: 'site-backups.test', port: '22', user: 'root', pass: 'let me in, please' }
  const { id } = await register(service, login, 'backups')
  await readInstall(service, id)
  await proveSiteBackups({ ...service, id }, { ...service, key: await service.createKey('stranger') })
}, 60_000)

test('sandbox: the last backup of a deleted site is listed for its account, restored as a site of any domain, and deleted', async () => {
  await using service = await openTestService({ siteChecksMs: 200 })
  const login = { provider: 'sandbox', host: 'last-backups.test', port: '22', user: 'root', pass: 'let me in, please' }
  const { id } = await register(service, login, 'last backups')
  await readInstall(service, id)
  await proveLastBackups({ ...service, id }, { ...service, key: await service.createKey('stranger') })
}, 60_000)

test('sandbox: a server that was deleted and is added again has its sites, with their ids and jobs', async () => {
  await using service = await openTestService({ siteChecksMs: 200 })
  const login = { provider: 'sandbox', host: 'adoption.test', port: '22', user: 'root', pass: 'let me in, please' }
  const { id } = await register(service, login, 'adoption')
  await readInstall(service, id)
  await proveAdoption({ ...service, id }, login)
}, 60_000)

test('sandbox: sites change while another one is backed up, and jobs that need the same wait and say for what', async () => {
  await using service = await openTestService({ sandboxPaceMs: 20 })
  const login = { provider: 'sandbox', host: 'queue.test', port: '22', user: 'root', pass: 'let me in, please' }
  const { id } = await register(service, login, 'queue')
  await readInstall(service, id)
  // The backup of its first site takes long.
  await proveQueue({ ...service, id, holdNext: async () => async () => {} })
}, 60_000)

test('sandbox: work on a site is cancelled while it runs or waits, and leaves the site as it was', async () => {
  await using service = await openTestService({ sandboxPaceMs: 120 })
  const login = { provider: 'sandbox', host: 'cancel.test', port: '22', user: 'root', pass: 'let me in, please' }
  const { id } = await register(service, login, 'cancel')
  await readInstall(service, id)
  const target = { ...service, id, holdNext: async () => async () => {} }
  await proveCancel(target, { ...service, key: await service.createKey('stranger') })
}, 180_000)

test('sandbox: SSL is switched, streamed, resumed and refused, and certificates follow the names of their sites', async () => {
  await using service = await openTestService({ siteChecksMs: 200 })
  const login = { provider: 'sandbox', host: 'ssl.test', port: '22', user: 'root', pass: 'let me in, please' }
  const { id } = await register(service, login, 'ssl')
  await readInstall(service, id)
  await proveSsl({ ...service, id })
}, 60_000)

test('sandbox: each site has logs, which grow, and of which no other name and no other account reads one', async () => {
  await using service = await openTestService()
  const login = { provider: 'sandbox', host: 'site-logs.test', port: '22', user: 'root', pass: 'let me in, please' }
  const { id } = await register(service, login, 'logs')
  await readInstall(service, id)
  await proveSiteLogs({ ...service, id }, { ...service, key: await service.createKey('stranger') })
  const siteId = async (domain: string) => String((await createSite(service, { domain, server: id, password: 'a harbour' })).body.id)
  const [busy, quiet] = [await siteId('busy.example.org'), await siteId('quiet.example.org')]
  expect(await readSiteLog(service, quiet, 'php')).toBe('')
  const before = await readSiteLog(service, busy, 'access')
  await expect.poll(() => readSiteLog(service, busy, 'access'), { timeout: 10_000, interval: 300 }).not.toBe(before)
  expect((await readSiteLog(service, busy, 'access')).startsWith(before)).toBe(true)
}, 60_000)

test('sandbox: settings of a site are changed, streamed, resumed, refused and kept, and a version that was removed is replaced', async () => {
  await using service = await openTestService({ siteChecksMs: 200, summarySharedMs: 0 })
  const login = { provider: 'sandbox', host: 'site-settings.test', port: '22', user: 'root', pass: 'let me in, please' }
  const { id } = await register(service, login, 'settings')
  await readInstall(service, id)
  await proveSettings({ ...service, id }, { ...service, key: await service.createKey('stranger') })
  const site = String((await createSite(service, { domain: 'oldphp.example.org', server: id, password: 'a harbour' })).body.id)
  const php = async () => ((await get(service, `/sites/${site}/settings`)).body.item as { php: string; php_versions: string[] }[])[0]
  expect(await php()).toMatchObject({ php: '7.4', php_versions: ['8.2'] })
  const rest = { upload_limit: '64', memory_limit: '256', folder: '' }
  expect(await post(service, `/sites/${site}/configure`, { ...rest, php: '8.2' })).toMatchObject({ status: 200 })
  expect(await php()).toMatchObject({ php: '8.2' })
}, 60_000)

test('sandbox: apps are listed, installed, streamed, resumed, recognised and refused on sites that are in use', async () => {
  await using service = await openTestService({ siteChecksMs: 200, summarySharedMs: 0 })
  const login = { provider: 'sandbox', host: 'apps.test', port: '22', user: 'root', pass: 'let me in, please' }
  const { id } = await register(service, login, 'apps')
  await readInstall(service, id)
  await proveApps({ ...service, id }, { ...service, key: await service.createKey('stranger') })
  const site = String((await createSite(service, { domain: 'noapp.example.org', server: id, password: 'a harbour' })).body.id)
  expect(await get(service, `/sites/${site}/install/dokuwiki`)).toMatchObject({ status: 500, body: { success: false } })
  expect(await appOf(service, site)).toEqual({ name: '', version: '' })
}, 60_000)

test('sandbox: email is switched, streamed, resumed and refused; addresses are saved, kept and deleted, and none leads back to itself', async () => {
  await using service = await openTestService({ siteChecksMs: 200, summarySharedMs: 0 })
  const login = { provider: 'sandbox', host: 'email.test', port: '22', user: 'root', pass: 'let me in, please' }
  const { id } = await register(service, login, 'email')
  await readInstall(service, id)
  await proveEmail({ ...service, id }, { ...service, key: await service.createKey('stranger') })
}, 60_000)

test('sandbox: SFTP keys of a site are added, listed, removed and refused', async () => {
  await using service = await openTestService({ siteChecksMs: 200 })
  const login = { provider: 'sandbox', host: 'keys.test', port: '22', user: 'root', pass: 'let me in, please' }
  const { id } = await register(service, login, 'keys')
  await readInstall(service, id)
  await proveSftpKeys({ ...service, id }, { ...service, key: await service.createKey('stranger') })
}, 60_000)

test('sandbox: email is not switched on unasked where DNS sends the mail elsewhere, nor beside a mail server of somebody else', async () => {
  await using service = await openTestService({ siteChecksMs: 200 })
  const login = { provider: 'sandbox', port: '22', user: 'root', pass: 'let me in, please' }
  const { id } = await register(service, { ...login, host: 'away.test' }, 'away')
  const lived = await register(service, { ...login, host: 'lived.test' }, 'lived-in')
  for (const server of [id, lived.id]) await readInstall(service, server)
  const siteOn = async (server: string, domain: string) =>
    String((await createSite(service, { domain, server, password: 'a harbour' })).body.id)
  const away = await siteOn(id, 'mailaway.example.org')
  const itemOf = async () => ((await get(service, `/sites/${away}/email`)).body.item as Record<string, unknown>[])[0]
  expect(await itemOf()).toMatchObject({ email: false, elsewhere: 'mx.mail-provider.test' })
  const refused = await post(service, `/sites/${away}/setemail`, { status: '1' })
  expect(refused).toMatchObject({ status: 409, body: { code: 'unsuitable', error: expect.stringContaining('mx.mail-provider.test') } })
  expect(await post(service, `/sites/${away}/setemail`, { status: '1', anyway: '1' })).toMatchObject({ status: 200 })
  expect(await itemOf()).toMatchObject({ email: true })
  const beside = await siteOn(lived.id, 'beside.example.org')
  const error = expect.stringMatching(/^Exim is the mail server here.*nothing was changed\.$/)
  expect(await post(service, `/sites/${beside}/setemail`, { status: '1' })).toMatchObject({
    status: 409,
    body: { code: 'unsuitable', error },
  })
}, 60_000)

test('sandbox: a site is pulled to its staging copy and pushed back, streamed, resumed, refused, and the password is answered once', async () => {
  await using service = await openTestService()
  const login = { provider: 'sandbox', host: 'staging.test', port: '22', user: 'root', pass: 'let me in, please' }
  const { id } = await register(service, login, 'staging')
  await readInstall(service, id)
  await proveStaging({ ...service, id }, { ...service, key: await service.createKey('stranger') })
}, 60_000)

test('sandbox: updates are installed, those of security first, streamed, attached to and resumed', async () => {
  await using service = await openTestService({ summarySharedMs: 0, sandboxPaceMs: 40 })
  const { id } = await register(
    service,
    { provider: 'sandbox', host: 'updates.test', port: '22', user: 'root', pass: 'let me in, please' },
    'updates',
  )
  await readInstall(service, id)
  await proveUpdates({ ...service, id }, { ...service, key: await service.createKey('stranger') })
}, 60_000)

test('sandbox: a server with sites of an earlier version is brought up to date, streamed, attached to and resumed, and nothing else runs meanwhile', async () => {
  await using service = await openTestService({ summarySharedMs: 0, sandboxPaceMs: 60 })
  const login = { provider: 'sandbox', host: 'upgrade.test', port: '22', user: 'root', pass: 'let me in, please' }
  const { id } = await register(service, login, 'upgrade')
  await readInstall(service, id)
  const create = (domain: string) => createSite(service, { domain, server: id, password: 'a harbour' })
  for (const domain of ['old.example.org', 'new.example.org']) expect(await create(domain)).toMatchObject({ status: 200 })
  await proveUpgrade({ ...service, id }, { ...service, key: await service.createKey('stranger') }, ['old.example.org'])

  expect(await create('old.example.net')).toMatchObject({ status: 200 })
  const { events } = await readUpgrade(service, id, { until: 2 })
  // What arrives together is read together.
  expect(events.length).toBeGreaterThanOrEqual(2)
  expect(await create('another.example.org')).toMatchObject({ status: 409, body: { code: 'busy' } })
  expect((await readInstall(service, id)).body).toMatchObject({ code: 'busy' })
  expect((await readUpgrade(service, id, { lastEventId: events.at(-1)?.id ?? 0 })).events.at(-1)).toMatchObject({ status: 'done' })
  expect((await get(service, '/servers/')).body.items).toMatchObject([{ id, state: 'ready' }])
}, 60_000)
