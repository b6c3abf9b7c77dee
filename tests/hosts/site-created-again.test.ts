/** A site on a real host that is deleted, created again and restored: what it was comes back, as far as that is possible, and the rest is said. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { itemOf, newSite } from '../service/conformance/sites'
import { get, post } from '../service/support/caller'
import { createSite, deleteSite, streamEmail, streamRestore, streamSettings, streamSsl } from '../service/support/slow-work'
import { openChance } from '../support/seeds'
import { startInstalled } from './installed'
import { type Authority, startAuthority } from './lab/authority'
import type { AdmittedHost } from './reach'
import { someDebians } from './releases'
import { backupsFolder } from './sites/backed-up'
import { changeArchive } from './sites/changed-archive'
import { openHttpService } from './sites/http-service'
import { visitSecurely } from './sites/https'
import { visit } from './sites/site-job'
import { login, openSmtp } from './sites/smtp'

const chance = openChance()

const domain = 'again.test'
const aliases = ['shop.again.test', 'www.again.test']
const password = 'a harbour "in" November'

let authority: Authority
let admitted: AdmittedHost
let service: Awaited<ReturnType<typeof openHttpService>>

describe.each(someDebians(chance))(`$debian, SEED=${chance.seed}`, ({ release }) => {
  beforeAll(async () => {
    authority = await startAuthority()
    admitted = await startInstalled(release)
    await authority.serveNames(admitted.host)
    for (const name of [domain, ...aliases, 'mail.lab.test']) await authority.addAddresses(name, [admitted.host.ip])
    await admitted.machine.setHostname('mail.lab.test')
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
  const create = async (name: string): Promise<string> => {
    const said = await createSite(service, newSite(service, name))
    expect(said).toMatchObject({ status: 200 })
    return String(said.body.id)
  }
  const userOf = async (id: string) => String((await itemOf(service, `/sites/${id}/summary`)).user)
  const namesOf = async (id: string) =>
    ((await itemOf(service, `/sites/${id}/aliases`)).aliases as { domain: string }[]).map((alias) => alias.domain)
  const newestBackup = async (id: string) => ((await get(service, `/sites/${id}/backups`)).body.items as { name: string }[])[0]?.name ?? ''
  const restore = async (id: string, name: string) => {
    const last = (await streamRestore(service, id, { restore: name })).events.at(-1)
    expect(last).toMatchObject(done)
    return last?.message ?? ''
  }
  /** Files of the site's own, for which it serves app/public alone. */
  const fill = async (user: string) => {
    await run(`cd /home/${user}/public && runuser -u ${user} -- sh -c 'umask 027; mkdir -p app/public/inner &&
      echo secret >app.log && echo secret >app/app.log && echo inner >app/public/inner/page.txt && echo served >app/public/page.txt'
      chgrp -R www-data /home/${user}/public`)
  }
  const limits = async (id: string) => {
    const { php, upload_limit, memory_limit, folder, workers, waiting } = await itemOf(service, `/sites/${id}/settings`)
    return { php, upload_limit, memory_limit, folder, workers, waiting }
  }

  test('a site that is deleted, created again and restored is what it was, but for a name that another site has now', async () => {
    const { host } = admitted
    const root = await authority.chainRoot()
    const id = await create(domain)
    const user = await userOf(id)
    for (const alias of aliases) expect(await post(service, `/sites/${id}/savealias`, { alias })).toMatchObject({ status: 200 })
    await fill(user)
    const { php = '' } = (await limits(id)) as Record<string, string>
    const fields = { php, upload_limit: '21', memory_limit: '77', folder: 'app/public', workers: '7', waiting: '11' }
    expect((await streamSettings(service, id, fields)).events.at(-1)).toMatchObject(done)
    expect((await streamSsl(service, id, '1')).events.at(-1)).toMatchObject(done)
    const names = { ...fields, www_redirect: '1', hsts: '300' }
    expect((await streamSettings(service, id, names)).events.at(-1)).toMatchObject(done)
    const address = { user: 'sales', destination: 'reader@far.test', password }
    expect(await post(service, `/sites/${id}/saveemail`, address)).toMatchObject({ status: 200 })
    expect((await streamEmail(service, id, { status: '1', anyway: '1' })).events.at(-1)).toMatchObject(done)
    await run(`crontab -u ${user} -`, `MAILTO=""\n5 4 * * * /usr/bin/php /home/${user}/public/app/cron.php\n`)
    await run(`cat >/etc/gatehouse/sites/${user}/apache/own.conf && systemctl reload apache2`, 'ServerSignature Off\n')
    const before = { limits: await limits(id), email: await itemOf(service, `/sites/${id}/email`) }
    const { serial, names: covered } = await visitSecurely(host, domain, root, '/page.txt')
    expect(covered).toBe([domain, ...aliases].join(', '))

    expect(await deleteSite(service, id)).toMatchObject({ status: 200 })
    const other = await create('shop.again.test')
    const again = await create(domain)
    const name = await userOf(again)
    const said = await restore(again, await newestBackup(again))

    expect(said).toContain('the alias shop.again.test, which is a name of another site now')
    expect(await limits(again)).toEqual(before.limits)
    expect(await namesOf(again)).toEqual(['www.again.test'])
    expect(said).toMatch(/www\.again\.test, which leads to again\.test/)
    expect(said).toContain('HSTS: choose it again on the page Settings')
    expect(await visitSecurely(host, 'www.again.test', root, '/page.txt')).toMatchObject({ status: 301, serial })
    expect(await visitSecurely(host, domain, root, '/page.txt')).toMatchObject({ status: 200, text: 'served\n', serial })
    expect(await visitSecurely(host, domain, root, '/inner/page.txt')).toMatchObject({ status: 200, text: 'inner\n' })
    for (const path of ['/app.log', '/../app.log', '/app/app.log', '/public/page.txt'])
      expect((await visitSecurely(host, domain, root, path)).status).toBeGreaterThanOrEqual(400)
    expect(await visit(host, domain, '/page.txt')).toMatch(/^301/)
    expect(await itemOf(service, `/sites/${again}/email`)).toEqual(before.email)
    await using smtp = await openSmtp(host.ip, 587)
    await smtp.secure(domain, root)
    expect(await smtp.say(login('sales@again.test', `${password}!`))).toMatch(/^535/)
    expect(await smtp.say(login('sales@again.test', password))).toMatch(/^235/)
    expect(await run(`grep -v '^#' /var/spool/cron/gatehouse-sites/${name}/${name}; systemctl is-active gatehouse-cron@${name}`)).toBe(
      `MAILTO=""\n5 4 * * * /usr/bin/php /home/${name}/public/app/cron.php\nactive\n`,
    )
    expect(await run(`cat /etc/gatehouse/sites/${name}/apache/own.conf`)).toBe('ServerSignature Off\n')
    expect(await visit(host, 'shop.again.test')).toMatch(/^200 .*This site is ready/s)
    for (const each of [other, again]) expect(await deleteSite(service, each, '?without_backup=1')).toMatchObject({ status: 200 })
  })

  test('a living site keeps its settings, and serves no more than it served when it was backed up', async () => {
    const { host } = admitted
    const id = await create('living.test')
    const user = await userOf(id)
    await fill(user)
    const { php = '' } = (await limits(id)) as Record<string, string>
    const set = (folder: string, upload_limit: string) =>
      streamSettings(service, id, { php, upload_limit, memory_limit: '77', folder }).then(({ events }) =>
        expect(events.at(-1)).toMatchObject(done),
      )
    await set('app/public', '21')
    expect(await get(service, `/sites/${id}/backup/creates`)).toMatchObject({ status: 200 })
    const name = await newestBackup(id)
    for (const [now, after, page] of [
      ['', 'app/public', 'served'],
      ['app', 'app/public', 'served'],
      ['app/public/inner', 'app/public/inner', 'inner'],
    ] as const) {
      await set(now, '33')
      await restore(id, name)
      expect(await limits(id)).toMatchObject({ folder: after, upload_limit: '33' })
      expect(await visit(host, 'living.test', '/page.txt')).toBe(`200 ${page}\n`)
      expect(await visit(host, 'living.test', '/app.log')).toMatch(/^40[34]/)
    }
    expect(await deleteSite(service, id, '?without_backup=1')).toMatchObject({ status: 200 })
  })

  test('an archive of an earlier version, or one that this server has not verified, says what it lacks', async () => {
    const id = await create('earlier.test')
    await run(`cat >/etc/gatehouse/sites/${await userOf(id)}/apache/own.conf`, 'ServerSignature Off\n')
    expect(await get(service, `/sites/${id}/backup/creates`)).toMatchObject({ status: 200 })
    const to = 'earlier.test-20200101-000000-manual.tar.zst'
    await run(changeArchive({ from: await newestBackup(id), to, manifest: `sed -i 's/^format .*/format 1/; /^email /d' manifest` }))
    expect(await deleteSite(service, id, '?without_backup=1')).toMatchObject({ status: 200 })
    const again = await create('earlier.test')
    const said = await restore(again, to)
    expect(said).toContain('its email and its cron jobs: the backup was made by an earlier version')
    expect(said).toContain('its own directives for Apache: this server has not verified the backup')
    expect(await run(`ls /etc/gatehouse/sites/${await userOf(again)}/apache; rm ${backupsFolder}/earlier.test-*`)).toBe('')
  })
})
