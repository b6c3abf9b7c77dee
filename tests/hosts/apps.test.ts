/** Apps of sites on a real host: installed beside the system, really signed in to, and never half there. */
import { createHash, randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { readCatalogue } from '@/lib/service/machines/apps/catalogue'
import type { SiteOnHost } from '@/lib/service/machines/sites'
import { appOf, proveApps } from '../service/conformance/apps'
import { openChance } from '../support/seeds'
import { startInstalled } from './installed'
import { mustRun } from './lab/command'
import { gatewayAddress } from './lab/network'
import type { AdmittedHost } from './reach'
import { someDebians } from './releases'
import { openHttpService } from './sites/http-service'
import { creation, deletion, endOf, runJob, siteNamed, tracesOf, upload, visit } from './sites/site-job'
import { appPassword, installing } from './sites/site-works'
import { ask, signInToWordPress } from './sites/wordpress'

const chance = openChance()

const blog = siteNamed('blogtest1a2b', 'blog.test')
const wiki = siteNamed('wikitest3c4d', 'wiki.test')
const notes = siteNamed('notestest5e6f', 'notes.test')

/** Of an app that an operator adds: its steps note what they were given. */
const steps = `<?php
[$address, $domain, $title, $user, $password, $database, $login, $secret, $host] = explode("\\0", stream_get_contents(STDIN));
$connection = new mysqli($host, $login, $secret, $database);
$connection->query('CREATE TABLE notes (text TEXT)');
$connection->query("INSERT INTO notes VALUES ('$address $domain $user')");
file_put_contents('config.php', '<?php return ' . var_export([$login, $secret, $database], true) . ';');
echo "installed\\n";
`
const page = `<?php
[$login, $secret, $database] = require 'config.php';
echo (new mysqli('localhost', $login, $secret, $database))->query('SELECT text FROM notes')->fetch_row()[0];
`

/** What installing the packages themselves would change. */
const system = `dpkg-query -W -f '\${Package} \${Version} \${db:Status-Abbrev}\\n' | sha256sum; ls /etc/apache2/mods-enabled; sha256sum /etc/apache2/conf-enabled/* /etc/apache2/sites-enabled/*
  apache2ctl -V | grep MPM; ls -d /usr/share/wordpress /usr/share/dokuwiki /etc/wordpress /etc/dokuwiki /var/cache/gatehouse-app /home/*/.gatehouse-app 2>/dev/null; php -m`

describe.each(someDebians(chance))(`$debian, SEED=${chance.seed}`, ({ release }) => {
  let admitted: AdmittedHost
  beforeAll(async () => {
    admitted = await startInstalled(release)
    expect(await endOf(admitted.machine, creation(blog))).toMatchObject({ status: 'done' })
  })
  afterAll(async () => {
    await admitted?.[Symbol.asyncDispose]()
  })

  const run = async (command: string) => (await admitted.host.run(command)).stdout
  const tables = (site: SiteOnHost) =>
    run(`mariadb -NB -e "SELECT table_name FROM information_schema.tables WHERE table_schema = '${site.name}'"`)
  /** Without the time of its last change, which a password that was put back has too. */
  const hashOf = (site: SiteOnHost) =>
    run(`mariadb -NB -e "SELECT JSON_REMOVE(Priv, '$.password_last_changed') FROM mysql.global_priv WHERE User = '${site.name}'"`)

  test('apps on a host pass the same conformance tests as on the sandbox; WordPress is signed in to, serves its addresses, and its update is shown', async () => {
    const { host } = admitted
    const asked: string[] = []
    const api = createServer(({ url = '' }, reply) => {
      asked.push(url)
      reply.end(JSON.stringify({ offers: [{ response: 'upgrade', version: '99.1' }] }))
    })
    await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve))
    const appUpdates = `http://127.0.0.1:${(api.address() as AddressInfo).port}`
    await using service = await openHttpService(admitted, { siteChecksMs: 100, summarySharedMs: 0, appUpdates })
    const before = await run(system)
    await proveApps(service, { ...service, key: await service.createKey('stranger') }, async (id, { password }) => {
      const domain = 'apps.example.org'
      const inside = await signInToWordPress(host, domain, password)
      expect([inside.status, inside.text.includes('id="wpadminbar"')]).toEqual([200, true])
      expect(await signInToWordPress(host, domain, 'another')).toMatchObject({ status: 302 })
      // Addresses without a query, by the site's virtual host.
      const post = await ask(host, domain, '/?p=1')
      expect([301, 302]).toContain(post.status)
      expect(await visit(host, domain, new URL(post.location).pathname)).toMatch(/^200 [\s\S]*Hello world!/)
      expect(await visit(host, domain, '/no-such-page/')).toMatch(/^404/)
      expect(await visit(host, domain, '/wp-content/uploads/')).toMatch(/^(403|404)/)
      expect(await visit(host, domain, '/wp-config.php')).toMatch(/^200 $/)
      await expect.poll(() => appOf(service, id)).toMatchObject({ name: 'wordpress', update: '99.1' })
      expect(asked).toEqual([expect.stringMatching(/^\/wordpress\/\?version=\d.*&php=\d\.\d/)])
      const there = await run(
        `grep -rlF -- '${password}' /home /etc /var/lib/gatehouse /var/log /run/systemd /tmp 2>/dev/null; journalctl -q --grep='${password}'`,
      )
      expect(there).toBe('')
      expect(await run('find /home/apps*/public -type l; stat -c %a /home/apps*/public/wp-config.php')).toBe('600\n')
    })
    api.close()
    const withoutSite = (text: string) => text.replaceAll(/^.*\/zz-gatehouse-.*\n/gm, '')
    expect(withoutSite(await run(system))).toBe(withoutSite(before))
  })

  test('a job that is killed while WordPress is installed leaves the site as it was, and the next one installs it', async () => {
    const { host, machine } = admitted
    const before = { traces: await tracesOf(host), hash: await hashOf(blog) }
    const jobId = randomUUID()
    await machine.sites.start(jobId, installing(blog, 'wordpress'))
    let last = ''
    for await (const { step, status, message } of machine.sites.follow(jobId, 0, new AbortController().signal)) {
      if (step === 'Install' && status === 'running' && message === 'Install')
        await host.run('systemctl kill -s KILL gatehouse-site-job-*.service')
      expect(await visit(host, blog.domain)).toContain('This site is ready')
      last = status
    }
    await machine.sites.forget(jobId)
    expect(last).toBe('failed')
    expect({ traces: await tracesOf(host), hash: await hashOf(blog), tables: await tables(blog) }).toEqual({ ...before, tables: '' })
    expect(await endOf(machine, installing(blog, 'wordpress'))).toMatchObject({ status: 'done', answer: 'http://blog.test/wp-login.php' })
    expect((await signInToWordPress(host, blog.domain, appPassword)).status).toBe(200)
  })

  test('a site with a file, an empty folder, a link or a table is refused and stays as it is', async () => {
    const { host, machine } = admitted
    expect(await endOf(machine, creation(wiki))).toMatchObject({ status: 'done' })
    const refusal = async (app: string) => {
      const before = { traces: await tracesOf(host), tables: await tables(wiki) }
      const end = await endOf(machine, installing(wiki, app))
      expect(end).toMatchObject({ status: 'failed', problem: 'unsuitable', error: expect.stringContaining('nothing was changed') })
      expect({ traces: await tracesOf(host), tables: await tables(wiki) }).toEqual(before)
      return end?.error
    }
    const folder = `/home/${wiki.name}/public`
    await host.run(`cp -a ${folder}/index.html /root/first.html`)
    for (const make of [
      'touch .hidden',
      'mkdir empty',
      'echo more >>index.html',
      'ln -sf /etc/hostname index.html',
      'rm index.html && mkfifo index.html',
    ]) {
      expect(await host.run(`runuser -u ${wiki.name} -- sh -c 'cd ${folder} && ${make}'`)).toMatchObject({ code: 0 })
      expect(await refusal('dokuwiki')).toContain('The site has files already')
      await host.run(`cd ${folder} && rm -rf .hidden empty index.html && cp -a /root/first.html index.html`)
    }
    await host.run(`mariadb ${wiki.name} -e 'CREATE TABLE mine (a int)'`)
    expect(await refusal('wordpress')).toContain('The database of the site has tables already')
    await host.run(`mariadb ${wiki.name} -e 'DROP TABLE mine'`)
  })

  test('DokuWiki is installed without a database, signed in to, and shows none of its files', async () => {
    const { host, machine } = admitted
    const before = { system: await run(system), hash: await hashOf(wiki) }
    const lines = await runJob(machine, installing(wiki, 'dokuwiki'))
    expect(lines.at(-1)).toMatchObject({ status: 'done', answer: 'http://wiki.test/doku.php?do=login' })
    expect({ system: await run(system), hash: await hashOf(wiki) }).toEqual(before)
    expect((await ask(host, wiki.domain, '/')).status).toBe(302)
    const shown = await ask(host, wiki.domain, '/doku.php?id=start&do=login')
    expect(shown.status).toBe(200)
    const sectok = /name="sectok" value="([^"]*)"/.exec(shown.text)?.[1] ?? ''
    const form = { id: 'start', do: 'login', u: 'admin', p: appPassword, sectok }
    const entered = await ask(host, wiki.domain, '/doku.php?id=start', { form, cookies: shown.cookies })
    // Signing in begins another session, whose cookie replaces the former one.
    const cookies = new Map([...shown.cookies, ...entered.cookies].map((cookie) => [cookie.split('=')[0], cookie]))
    const admin = await ask(host, wiki.domain, '/doku.php?id=start&do=admin', { cookies: [...cookies.values()] })
    expect([admin.status, admin.text.includes('page=usermanager')]).toEqual([200, true])
    for (const path of [
      '/data/pages/',
      '/conf/users.auth.php',
      '/conf/local.php',
      '/inc/init.php',
      '/vendor/autoload.php',
      '/bin/dwpage.php',
      '//conf/acl.auth.php',
    ])
      expect([path, (await ask(host, wiki.domain, path)).status]).toEqual([path, 403])
    for (const path of ['/lib/exe/css.php', '/lib/exe/js.php', '/lib/exe/jquery.php']) {
      const { status, text } = await ask(host, wiki.domain, path)
      expect([path, status, text.length > 1000]).toEqual([path, 200, true])
    }
    expect(await run(`grep -E 'PHP (Fatal|Warning|Parse)' /var/log/gatehouse-sites/${wiki.name}/php.log`)).toBe('')
  })

  test('security 57: an app that was put there by hand is recognised by text, never executed, and never read through a link', async () => {
    const { host, machine } = admitted
    const catalogue = readCatalogue()
    expect(await endOf(machine, deletion(wiki, false))).toMatchObject({ status: 'done' })
    expect(await endOf(machine, creation(wiki))).toMatchObject({ status: 'done' })
    const found = async () => (await machine.sites.findApp(wiki, catalogue)).found
    expect(await found()).toBe(null)
    await upload(host, wiki, 'doku.php', '<?php $updateVersion = "55"; file_put_contents("/tmp/app-marker", "");')
    await upload(host, wiki, 'VERSION', '2024-02-06b "Kaos"\n')
    expect(await found()).toEqual({ app: 'dokuwiki', version: '2024-02-06b', build: '55' })
    await host.run('printf "2011-11-11 secret\\n" >/root/VERSION; chmod 600 /root/VERSION')
    for (const make of ['ln -sf /root/VERSION VERSION', 'rm VERSION; mkfifo VERSION', 'rm VERSION; mkdir VERSION']) {
      await host.run(`cd /home/${wiki.name}/public && runuser -u ${wiki.name} -- sh -c '${make}'`)
      expect(await found()).toBe(null)
    }
    expect(await run('ls /tmp/app-marker 2>/dev/null')).toBe('')
  })

  test('an app that an operator adds by an address is installed and recognised; an archive with another hash is refused and changes nothing', async () => {
    const { host, machine } = admitted
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-apps-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    await mustRun('mkdir', ['-p', join(folder, 'notes-1.2/setup')])
    const files = { 'index.php': page, 'version.txt': 'Notes 1.2\n', 'setup/index.php': 'never there' }
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, 'notes-1.2', name), text)
    await mustRun('tar', ['-C', folder, '-czf', join(folder, 'notes.tar.gz'), 'notes-1.2'])
    const archive = readFileSync(join(folder, 'notes.tar.gz'))
    const server = createServer((_, reply) => void reply.end(archive))
    onTestFinished(() => void server.close())
    await new Promise<void>((resolve) => server.listen(0, gatewayAddress, resolve))
    const address = `http://${gatewayAddress}:${(server.address() as AddressInfo).port}/notes.tar.gz`
    // The lab's proxy passes on packages only.
    await host.run(`echo 'Acquire::http::Proxy::${gatewayAddress} "DIRECT";' >/etc/apt/apt.conf.d/91direct`)
    const catalogueWith = (sha256: string) => {
      const entry = {
        app: 'notes',
        title: 'Notes',
        source: { address, sha256, strip: 1, version: '1.2' },
        folders: [{ from: '', to: '' }],
        left_out: ['setup'],
        php: ['mysqli'],
        database: true,
        login: '/index.php',
        user: 'admin',
        found: { file: 'version.txt', version: '^Notes (\\d+\\.\\d+)', beside: 'index.php' },
      }
      writeFileSync(join(folder, 'notes.json'), JSON.stringify(entry))
      writeFileSync(join(folder, 'notes.php'), steps)
      return readCatalogue(folder)
    }
    expect(await endOf(machine, creation(notes))).toMatchObject({ status: 'done' })
    const state = async () => ({ traces: await tracesOf(host), hash: await hashOf(notes), tables: await tables(notes) })
    const before = await state()
    const wrong = catalogueWith(createHash('sha256').update('another').digest('hex'))
    expect(await endOf(machine, installing(notes, 'notes', wrong))).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/is not the one whose hash is in the catalogue/),
    })
    expect(await state()).toEqual(before)
    expect(await run('ls -d /var/cache/gatehouse-app 2>/dev/null')).toBe('')

    const right = catalogueWith(createHash('sha256').update(archive).digest('hex'))
    expect(await endOf(machine, installing(notes, 'notes', right))).toMatchObject({ status: 'done', answer: 'http://notes.test/index.php' })
    expect(await visit(host, notes.domain)).toBe('200 http://notes.test notes.test admin')
    expect(await visit(host, notes.domain, '/setup/index.php')).not.toContain('never there')
    expect((await machine.sites.findApp(notes, right)).found).toEqual({ app: 'notes', version: '1.2', build: '' })
  })
})
