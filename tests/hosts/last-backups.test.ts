/** The last backup of a deleted site on a real host: listed for whoever the site belonged to, and restored as a site of its former domain or another. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lastBackupsOf, proveLastBackups } from '../service/conformance/last-backups'
import { register } from '../service/conformance/servers'
import { itemOf, newSite } from '../service/conformance/sites'
import { get, post } from '../service/support/caller'
import { createSite, deleteSite, listSites, streamCreation, streamSettings, streamSsl } from '../service/support/slow-work'
import { openChance } from '../support/seeds'
import { startInstalled } from './installed'
import { type Authority, startAuthority } from './lab/authority'
import type { AdmittedHost } from './reach'
import { someDebians } from './releases'
import { backupsFolder } from './sites/backed-up'
import { runFormerJob } from './sites/former'
import { openHttpService } from './sites/http-service'
import { visitSecurely } from './sites/https'
import { siteNamed, tracesOf, visit } from './sites/site-job'

const chance = openChance()

const [domain, alias, other, earlier] = ['gone.test', 'shop.gone.test', 'moved.test', 'earlier.test']

let authority: Authority
let admitted: AdmittedHost
let service: Awaited<ReturnType<typeof openHttpService>>

/** A page that shows what is in the database, with a configuration of WordPress's form. */
const configuration = (user: string, password: string) => `<?php
define('DB_NAME', '${user}');
define('DB_USER', '${user}');
define('DB_PASSWORD', '${password}');
define('DB_HOST', 'localhost');
define('WP_HOME', 'https://${domain}');
`
const page = `<?php require __DIR__ . '/wp-config.php';
foreach ((new mysqli(DB_HOST, DB_USER, DB_PASSWORD, DB_NAME))->query('SELECT text FROM words ORDER BY id') as $row) echo $row['text'], "\\n";
echo WP_HOME;
`

describe.each(someDebians(chance))(`$debian, SEED=${chance.seed}`, ({ release }) => {
  beforeAll(async () => {
    authority = await startAuthority()
    admitted = await startInstalled(release)
    await authority.serveNames(admitted.host)
    for (const name of [domain, alias, other]) await authority.addAddresses(name, [admitted.host.ip])
    const from = { directory: authority.directory, roots: authority.roots, contact: '' }
    service = await openHttpService(admitted, {
      authority: from,
      dnsServers: [authority.dnsAddress],
      siteChecksMs: 100,
      summarySharedMs: 0,
    })
  })
  afterAll(async () => {
    await service?.[Symbol.asyncDispose]()
    await admitted?.[Symbol.asyncDispose]()
    await authority?.[Symbol.asyncDispose]()
  })

  const run = async (command: string, stdin = ''): Promise<string> => {
    const { code, stdout, stderr } = await admitted.host.run(command, { stdin, timeoutMs: 120_000 })
    expect(code, stderr).toBe(0)
    return stdout
  }
  const done = { status: 'done' }
  const userOf = async (id: string) => String((await itemOf(service, `/sites/${id}/summary`)).user)
  const limits = async (id: string) => {
    const { php, upload_limit, memory_limit, folder } = await itemOf(service, `/sites/${id}/settings`)
    return { php, upload_limit, memory_limit, folder }
  }
  const restoreAs = async (name: string, backup: string) => {
    const { events, body } = await streamCreation(service, { ...newSite(service, name), backup })
    const id = (await listSites(service)).find((site) => site.domain === name)?.id ?? ''
    return { last: events.at(-1), lines: events, body, id }
  }

  test('last backups on a host pass the same conformance tests as on the sandbox', async () => {
    await proveLastBackups(service, { ...service, key: await service.createKey('stranger') })
  })

  test('a deleted site comes back from the list with its content and settings, under its domain and under another one', async () => {
    const { host } = admitted
    const root = await authority.chainRoot()
    const id = String((await createSite(service, newSite(service, domain))).body.id)
    const user = await userOf(id)
    expect(await post(service, `/sites/${id}/savealias`, { alias })).toMatchObject({ status: 200 })
    expect(await post(service, `/sites/${id}/savedatabase`, { password: 'of the database' })).toMatchObject({ status: 200 })
    const words = `CREATE TABLE words (id INT PRIMARY KEY, text TEXT); INSERT INTO words VALUES (1, 'a harbour'), (2, 'https://${domain}/page');
      CREATE VIEW both_words AS SELECT text FROM words`
    await run(`mariadb ${user}`, words)
    await run(
      `cd /home/${user}/public && runuser -u ${user} -- sh -c 'mkdir web && cat >web/wp-config.php'`,
      configuration(user, 'of the database'),
    )
    await run(`runuser -u ${user} -- tee /home/${user}/public/web/index.php`, page)
    await run(`rm /home/${user}/public/index.html; echo secret >/home/${user}/private/notes`)
    const { php = '' } = (await limits(id)) as Record<string, string>
    expect((await streamSettings(service, id, { php, upload_limit: '21', memory_limit: '77', folder: 'web' })).events.at(-1)).toMatchObject(
      done,
    )
    expect((await streamSsl(service, id, '1')).events.at(-1)).toMatchObject(done)
    await run(`crontab -u ${user} -`, `MAILTO=""\n5 4 * * * /usr/bin/php /home/${user}/public/web/cron.php\n`)
    const before = await limits(id)
    expect(await visitSecurely(host, domain, root)).toMatchObject({
      status: 200,
      text: `a harbour\nhttps://${domain}/page\nhttps://${domain}`,
    })

    expect(await deleteSite(service, id)).toMatchObject({ status: 200 })
    const [backup] = await lastBackupsOf(service)
    expect(backup).toMatchObject({ domain, proven: true, format: 2, lacks: [] })
    const { last, id: again } = await restoreAs(domain, backup?.name ?? '')
    expect(last).toMatchObject(done)
    expect(last?.message).toMatch(/^gone\.test is restored from the last backup of a deleted site\..* As before: .*SSL/)

    const name = await userOf(again)
    expect(name).not.toBe(user)
    expect(await limits(again)).toEqual(before)
    expect(await visitSecurely(host, alias, root)).toMatchObject({
      status: 200,
      text: `a harbour\nhttps://${domain}/page\nhttps://${domain}`,
    })
    expect(await visit(host, domain)).toMatch(/^301/)
    expect(await run(`cat /home/${name}/private/notes; grep -v '^#' /var/spool/cron/gatehouse-sites/${name}/${name}`)).toBe(
      `secret\nMAILTO=""\n5 4 * * * /usr/bin/php /home/${name}/public/web/cron.php\n`,
    )
    // Nothing of the empty site is left.
    expect(await run(`ls -A /home/${name}; mariadb -N -e "SHOW DATABASES LIKE 'gatehouse-%'"`)).toBe('private\npublic\n')
    expect(await get(service, `/sites/${again}/backup/creates`)).toMatchObject({ status: 200 })

    const elsewhere = await restoreAs(other, backup?.name ?? '')
    expect(elsewhere.last).toMatchObject(done)
    expect(elsewhere.last?.message).toContain('Not as before: the domain, which was gone.test; its aliases')
    expect(await visitSecurely(host, other, root)).toMatchObject({
      status: 200,
      text: `a harbour\nhttps://${other}/page\nhttps://${other}`,
    })
    expect(await run(`mariadb -N ${await userOf(elsewhere.id)} -e 'SELECT * FROM both_words'`)).toBe(`a harbour\nhttps://${other}/page\n`)
    for (const each of [again, elsewhere.id]) expect(await deleteSite(service, each, '?without_backup=1')).toMatchObject({ status: 200 })
  })

  test('a backup that cannot be restored leaves nothing of the new site, and says why', async () => {
    const [backup] = await lastBackupsOf(service)
    const before = await tracesOf(admitted.host)
    const broken = 'gone.test-20200101-000000-delete.tar.zst'
    // The last line of the dump is missing, which shows only once it is loaded.
    await run(`mkdir /root/cut && cd /root/cut && zstd -qdc ${backupsFolder}/${backup?.name} | tar -xf - && sed -i '$d' database.sql &&
      tar --numeric-owner -cf - manifest database.sql virtual-host php-fpm.conf files/public files/private | zstd -q >${backupsFolder}/${broken} && rm -r /root/cut`)
    const { last, id } = await restoreAs(domain, broken)
    expect(last).toMatchObject({ status: 'failed', error: expect.stringContaining('The dump of the database is not complete') })
    expect(id).toBe('')
    await run(`rm ${backupsFolder}/${broken}`)
    expect(await tracesOf(admitted.host)).toBe(before)
  })

  test('another account sees no last backups but its own, and archives of earlier versions that nobody is known to have deleted', async () => {
    const { host, reach } = admitted
    const [backup] = await lastBackupsOf(service)
    const former = siteNamed('earlier1a2b3', earlier)
    expect(await runFormerJob(admitted, 'create', former)).toMatchObject(done)
    expect(await runFormerJob(admitted, 'backup', former)).toMatchObject(done)
    const made = (await run(`cd ${backupsFolder} && ls ${earlier}-*-manual.tar.zst`)).trim()
    const name = made.replace('manual', 'delete')
    await run(`cd ${backupsFolder} && mv ${made} ${name} && rm -f .${made}.proven`)
    await admitted.machine.sites.start('removed', { kind: 'delete', site: former, backup: false, owner: '' })
    for await (const _ of admitted.machine.sites.follow('removed', 0, new AbortController().signal));

    const key = await service.createKey('neighbour')
    const login = { provider: 'ssh', host: host.ip, port: String(host.port), ...host.login, user: reach.user }
    const neighbour = { ...service, key, id: (await register({ ...service, key }, login, 'shared')).id }
    const shown = { name, domain: earlier, proven: false, format: 1, lacks: ['email', 'cron jobs'] }
    expect(await lastBackupsOf(neighbour)).toMatchObject([shown])
    expect(await lastBackupsOf(service)).toMatchObject([shown, { name: backup?.name }])
    expect(await createSite(neighbour, { ...newSite(neighbour, domain), backup: backup?.name ?? '' })).toMatchObject({ status: 409 })
    await get(neighbour, `/servers/${neighbour.id}/delete`)

    const { last } = await restoreAs(earlier, name)
    expect(last).toMatchObject(done)
    expect(last?.message).toContain('its email and its cron jobs: the backup was made by an earlier version')
    expect(await visit(host, earlier)).toMatch(/^200 .*This site is ready/s)
  })
})
