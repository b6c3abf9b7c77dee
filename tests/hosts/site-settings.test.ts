/** Logs and settings of sites on a real host that Gatehouse installed. The other site is there throughout, and answers. */
import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { ShownSettings, SiteSettings, SiteWork } from '@/lib/service/machines/sites'
import { proveSettings } from '../service/conformance/site-settings'
import { openChance } from '../support/seeds'
import { someDebians } from './releases'
import { useHostWithSites } from './sites/host-with-sites'
import { openHttpService } from './sites/http-service'
import { testSiteLogs } from './sites/log-tests'
import { addOlderPhp } from './sites/older-php'
import { headOf, phpPage, postFile, watchSite } from './sites/php-page'
import { endOf, naming, runJob, siteNamed, upload, visit } from './sites/site-job'

const chance = openChance()

const one = siteNamed('onetest1a2b', 'one.test', ['www.one.test'])
const two = siteNamed('twotest3c4d', 'two.test')

describe.each(someDebians(chance))(`$debian, SEED=${chance.seed}`, ({ release }) => {
  const admitted = useHostWithSites(release, [one, two])

  testSiteLogs(admitted, one, two)

  const settingsOf = async (site = one): Promise<ShownSettings> => {
    const found = (await admitted().machine.sites.facts([site])).get(site.name)?.settings
    if (!found) throw new Error('The host reports no settings.')
    return found
  }
  /** Those of the present settings that are not given stay. */
  const changed = async (given: Partial<SiteSettings>, site = one): Promise<SiteWork> => {
    const { versions: _, ...now } = await settingsOf(site)
    return { kind: 'settings', site, settings: { ...now, uploadMb: now.uploadMb ?? 64, memoryMb: now.memoryMb ?? 256, ...given } }
  }
  const files = async (site = one) =>
    (
      await admitted().host.run(`cd /etc/gatehouse/sites/${site.name} && sha256sum php-fpm.conf site virtual-host.sha256 && \
      sha256sum /etc/apache2/sites-available/zz-gatehouse-${site.name}.conf && systemctl list-units --all --plain --no-legend 'gatehouse-php*@*'`)
    ).stdout

  test('settings of sites on a host pass the same conformance tests as on the sandbox', async () => {
    await using service = await openHttpService(admitted(), { siteChecksMs: 100, summarySharedMs: 0 })
    const makeFolder = async (user: string, folder: string) => {
      await admitted().host.run(`runuser -u ${user} -- mkdir -p /home/${user}/public/${folder}`)
    }
    await proveSettings({ ...service, makeFolder }, { ...service, key: await service.createKey('stranger') })
  })

  test('PHP runs with the new limits and takes no larger file; the other site keeps its own and answers throughout', async () => {
    const { host, machine } = admitted()
    await host.run(`rm -f /home/${one.name}/public/*.php`)
    for (const site of [one, two]) await upload(host, site, 'php.php', phpPage)
    const before = await files(two)
    const watching = watchSite(host, two.domain)
    expect(await endOf(machine, await changed({ uploadMb: 3, memoryMb: 64 }))).toMatchObject({
      status: 'done',
      message: 'The settings of one.test are saved.',
    })
    expect(await watching.stop()).toEqual({ failed: [], answered: expect.any(Number) })
    expect(await visit(host, one.domain, '/php.php')).toMatch(/^200 \d\.\d upload 3M post 11M memory 64M /)
    expect(await visit(host, two.domain, '/php.php')).toMatch(/^200 \d\.\d upload 64M post 72M memory 256M /)
    expect(await settingsOf()).toMatchObject({ uploadMb: 3, memoryMb: 64, folder: '' })
    expect(await files(two)).toBe(before)
    const mb = 1024 * 1024
    expect(await postFile(host, one.domain, '/php.php', 3 * mb)).toBe(`file ${3 * mb} error 0`)
    // UPLOAD_ERR_INI_SIZE.
    expect(await postFile(host, one.domain, '/php.php', 3 * mb + 1)).toBe('file 0 error 1')
    expect(await postFile(host, two.domain, '/php.php', 3 * mb + 1)).toBe(`file ${3 * mb + 1} error 0`)
    expect(await visit(host, one.domain, '/php.php?eat=80')).toMatch(/^500/)
    expect(await visit(host, two.domain, '/php.php?eat=80')).toMatch(/^200/)
  })

  test('PHP of a site has the extensions that common apps need, and the answer names them', async () => {
    const { host } = admitted()
    const needed = ['bcmath', 'curl', 'gd', 'imagick', 'intl', 'mbstring', 'redis', 'xml', 'zip']
    const loaded = needed.map((name) => `var_export(extension_loaded('${name}'));`).join(' ')
    await upload(host, one, 'has.php', `<?php ${loaded}`)
    expect(await visit(host, one.domain, '/has.php')).toBe(`200 ${needed.map(() => 'true').join('')}`)
    expect((await settingsOf()).extensions).toEqual(expect.arrayContaining(needed))
  })

  const slowPage = '<?php usleep(2500000); echo "slept";'

  test('a page that takes 2.5 s is given to 12, 20 and 40 callers who come at once; the other site answers meanwhile', async () => {
    const { host } = admitted()
    await upload(host, one, 'slow.php', slowPage)
    const { workers, waiting } = await settingsOf()
    expect((workers ?? 0) + (waiting ?? 0)).toBeGreaterThanOrEqual(40)
    const watching = watchSite(host, two.domain)
    for (const callers of [12, 20, 40]) {
      const said = await Promise.all(Array.from({ length: callers }, () => visit(host, one.domain, '/slow.php')))
      expect([callers, said.filter((each) => each !== '200 slept')]).toEqual([callers, []])
    }
    expect(await watching.stop()).toMatchObject({ failed: [] })
  })

  test('PHP of a site answers callers who come in the moment in which an idle worker ends', async () => {
    const { host } = admitted()
    await upload(host, one, 'page.php', '<?php echo "here";')
    const pool = `/etc/gatehouse/sites/${one.name}/php-fpm.conf`
    const unit = `$(systemctl list-units --plain --no-legend 'gatehouse-php*@${one.name}.service' | cut -d' ' -f1)`
    // If idle workers end after a time, they do so soon.
    await host.run(`sed -i 's/^pm.process_idle_timeout = .*/pm.process_idle_timeout = 1s/' ${pool} && systemctl restart ${unit}`)
    const bursts = await readFile(new URL('sites/php-bursts.pl', import.meta.url), 'utf8')
    const { stdout, stderr } = await host.run(`perl - $(sed -n 's/^listen = //p' ${pool}) /home/${one.name}/public/page.php ${unit} 12`, {
      stdin: bursts,
      timeoutMs: 300_000,
    })
    expect([stdout, stderr]).toEqual(['0\n', ''])
  })

  test('beyond the requests that may wait, callers are refused at once and told when to come back; others are not touched', async () => {
    const { host, machine } = admitted()
    await upload(host, one, 'slow.php', slowPage)
    expect(await endOf(machine, await changed({ workers: 3, waiting: 4 }))).toMatchObject({ status: 'done' })
    expect(await settingsOf()).toMatchObject({ workers: 3, waiting: 4 })
    const watching = watchSite(host, two.domain)
    const ended: string[] = []
    const ask = async () => {
      const { status, retryAfter } = await headOf(host, one.domain, '/slow.php')
      ended.push(status)
      return { status, retryAfter }
    }
    const said = await Promise.all(Array.from({ length: 60 }, ask))
    const refused = said.filter(({ status }) => status === '503')
    // Each of Apache's two processes holds seven.
    const answered = said.filter(({ status }) => status === '200')
    expect(answered.length + refused.length).toBe(60)
    expect(answered.length).toBeGreaterThanOrEqual(7)
    expect(answered.length).toBeLessThanOrEqual(14)
    expect(refused.every(({ retryAfter }) => retryAfter === '10')).toBe(true)
    // Nobody waited for a worker in order to be refused.
    expect(ended.slice(0, refused.length)).toEqual(refused.map(() => '503'))
    expect(await watching.stop()).toMatchObject({ failed: [] })
    // Other work that writes the virtual host keeps the number.
    expect(await endOf(machine, naming({ ...one, aliases: ['other.test'] }))).toMatchObject({ status: 'done' })
    expect(await endOf(machine, naming(one))).toMatchObject({ status: 'done' })
    expect(await endOf(machine, await changed({ memoryMb: 67, workers: null, waiting: null }))).toMatchObject({ status: 'done' })
    expect(await settingsOf()).toMatchObject({ workers: 3, waiting: 4, memoryMb: 67 })
    expect(await endOf(machine, await changed({ workers: 10, waiting: 30 }))).toMatchObject({ status: 'done' })
  })

  test('requests that are running are answered to their end while PHP takes new limits', async () => {
    const { host, machine } = admitted()
    const slow = visit(host, one.domain, '/php.php?sleep=3')
    await delay(500)
    expect(await endOf(machine, await changed({ memoryMb: 65 }))).toMatchObject({ status: 'done' })
    expect(await slow).toMatch(/^200 /)
  })

  test('the folder is served with its own index.php, stays when names change, and neither link nor text leads out of it', async () => {
    const { host, machine } = admitted()
    const inside = `/home/${one.name}/public`
    const asUser = (command: string) => host.run(`cd ${inside} && runuser -u ${one.name} -- sh -c '${command}'`)
    await asUser('umask 022; mkdir -p web/app locked; echo outside >out.txt; echo in >web/app/in.txt; chmod 700 locked')
    await upload(host, one, 'web/app/index.php', '<?php echo "app ", $_SERVER["REQUEST_URI"];')
    expect(await endOf(machine, await changed({ folder: 'web/app' }))).toMatchObject({ status: 'done' })
    for (const name of [one.domain, ...one.aliases]) expect(await visit(host, name, '/a/b?c')).toBe('200 app /a/b?c')
    expect(await visit(host, one.domain, '/in.txt')).toBe('200 in\n')
    for (const path of ['/out.txt', '/../../out.txt', '/%2e%2e/%2e%2e/out.txt', '/php.php']) {
      expect(await visit(host, one.domain, path)).not.toMatch(/outside|memory/)
    }
    expect(await endOf(machine, naming({ ...one, aliases: ['other.test'] }))).toMatchObject({ status: 'done' })
    expect(await visit(host, 'other.test', '/x')).toBe('200 app /x')
    expect(await endOf(machine, naming(one))).toMatchObject({ status: 'done' })

    await asUser(`ln -sfn /etc etc; ln -sfn /home/${two.name}/public two; ln -sfn ../private up; ln -sfn web/app inner`)
    const before = await files()
    const refusals = {
      etc: /link to outside/,
      two: /link to outside/,
      up: /link to outside/,
      locked: /may not enter/,
      none: /no folder public\/none/,
    }
    for (const [folder, why] of Object.entries(refusals)) {
      const last = await endOf(machine, await changed({ folder }))
      expect([folder, last]).toMatchObject([folder, { status: 'failed', problem: 'unsuitable', error: expect.stringMatching(why) }])
    }
    // The service refuses these before; so does the server.
    for (const folder of ['..', '../private', 'a"b', "a'b", 'a b', 'a\n</VirtualHost>', '$(touch /tmp/canary)', '.git', '-rf', '%{x}']) {
      const last = await endOf(machine, await changed({ folder }))
      expect([folder, last?.status, last?.problem]).toEqual([folder, 'failed', 'unsuitable'])
    }
    expect(await files()).toBe(before)
    expect((await host.run('ls /tmp/canary')).code).not.toBe(0)

    // A link that takes the place of the folder later is not followed to somebody else's files.
    await upload(host, two, 'secret.txt', 'of the other')
    await asUser(`mv web/app web/real && ln -s /home/${two.name}/public web/app`)
    expect(await visit(host, one.domain, '/secret.txt')).toMatch(/^403/)
    await asUser('rm web/app && ln -s /etc web/app')
    expect(await visit(host, one.domain, '/passwd')).toMatch(/^403/)
    await asUser('rm web/app && mv web/real web/app')
    expect(await endOf(machine, await changed({ folder: 'inner' }))).toMatchObject({ status: 'done' })
    expect(await visit(host, one.domain, '/in.txt')).toBe('200 in\n')
    expect(await endOf(machine, await changed({ folder: '' }))).toMatchObject({ status: 'done' })
    expect(await visit(host, one.domain, '/out.txt')).toBe('200 outside\n')
  })

  test('what an admin wrote into the configuration stays; if it contradicts, or Apache refuses its own, everything is as before', async () => {
    const { host, machine } = admitted()
    const pool = `/etc/gatehouse/sites/${one.name}/php-fpm.conf`
    await host.run(`echo 'php_admin_value[date.timezone] = Europe/Warsaw' >>${pool}`)
    expect(await endOf(machine, await changed({ memoryMb: 66 }))).toMatchObject({ status: 'done' })
    expect(await visit(host, one.domain, '/php.php')).toContain('memory 66M zone Europe/Warsaw')

    // A number of workers in another form than ours.
    await host.run(`sed -i 's/^pm.max_children = .*/pm.max_children=17/' ${pool}`)
    expect(await settingsOf()).toMatchObject({ workers: null, waiting: null })
    expect(await endOf(machine, await changed({ memoryMb: 68 }))).toMatchObject({ status: 'done' })
    expect((await host.run(`grep max_children ${pool}`)).stdout).toBe('pm.max_children=17\n')
    expect(await endOf(machine, await changed({ workers: 10, waiting: 30 }))).toMatchObject({ status: 'done' })
    expect((await host.run(`grep max_children ${pool}`)).stdout).toBe('pm.max_children = 10\n')

    await host.run(`echo 'php_admin_value[memory_limit] = 99M' >>${pool}`)
    const before = await files()
    expect(await endOf(machine, await changed({ uploadMb: 5, folder: 'web' }))).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/does not run with these settings but as \d\.\d 5M 99M\..*php-fpm\.conf/),
    })
    expect(await files()).toBe(before)
    expect(await visit(host, one.domain, '/php.php')).toMatch(/ upload 3M post 11M memory 99M /)
    await host.run(`sed -i '/^php_admin_value.memory_limit/d' ${pool} && systemctl reload 'gatehouse-php*@${one.name}.service'`)

    await host.run('printf "NoSuchDirective\\n" >/etc/apache2/sites-enabled/broken.conf')
    const broken = await files()
    expect(await endOf(machine, await changed({ uploadMb: 5, folder: 'web' }))).toMatchObject({
      status: 'failed',
      problem: 'unsuitable',
      error: expect.stringMatching(/broken\.conf.*nothing was changed/is),
    })
    expect(await files()).toBe(broken)
    // Apache's configuration breaks after the check: PHP has its new limits by then, and gets its former ones back.
    await host.run('rm /etc/apache2/sites-enabled/broken.conf')
    const lines = await runJob(machine, await changed({ uploadMb: 6, folder: 'web' }), async ({ step }) => {
      if (step === 'PHP') await host.run('printf "NoSuchDirective\\n" >/etc/apache2/sites-enabled/broken.conf')
    })
    await host.run('rm -f /etc/apache2/sites-enabled/broken.conf')
    expect(lines.at(-1)).toMatchObject({ status: 'failed', error: expect.stringContaining('NoSuchDirective') })
    expect(await files()).toBe(broken)
    expect(await visit(host, one.domain, '/php.php')).toMatch(/ upload 3M /)
    await host.run(`sed -i '/^php_admin_value.date/d' ${pool} && systemctl reload apache2`)
  })

  // Only an upgraded server has two.
  test('a site that takes more memory than all of it may is stopped and comes back; the other answers throughout', async ({ skip }) => {
    const { host, machine } = admitted()
    const unit = (
      await host.run(`systemctl list-units --plain --no-legend 'gatehouse-php*@${one.name}.service' | cut -d' ' -f1`)
    ).stdout.trim()
    // 100 MB for each worker of the server's memory.
    const { workers } = await settingsOf(two)
    expect((await host.run(`systemctl show -P MemoryMax ${unit}`)).stdout).toBe(`${(workers ?? 0) * 100 * 1024 * 1024}\n`)
    // Some kernels count no memory for the units of a container, so its limit holds nothing.
    const counted = (await host.run('systemctl show -P MemoryCurrent apache2')).stdout.trim()
    if (!/^\d+$/.test(counted)) skip('The kernel counts no memory for units here.')
    expect(await endOf(machine, await changed({ folder: '', memoryMb: 256, workers: 30 }))).toMatchObject({ status: 'done' })
    for (const site of [one, two]) await upload(host, site, 'php.php', phpPage)
    const watching = watchSite(host, two.domain)
    const eat = () => visit(host, one.domain, '/php.php?eat=220&sleep=10').catch(String)
    expect(await eat()).toMatch(/^200 /)
    // Each may take 256 MB. 1 GB is reached sooner than what all together may take.
    await host.run(`systemctl set-property --runtime ${unit} MemoryMax=1G`)
    const greedy = Array.from({ length: 8 }, eat)
    expect((await Promise.all(greedy)).filter((said) => !said.startsWith('200 '))).not.toEqual([])
    await expect.poll(() => visit(host, one.domain, '/php.php'), { timeout: 20_000 }).toMatch(/^200 /)
    expect(await watching.stop()).toMatchObject({ failed: [] })
  })

  test.runIf(release === 'trixie')(
    'a site of a version of PHP that an upgrade removed is moved to one that is there, and back',
    async () => {
      const { host, machine } = admitted()
      expect(await endOf(machine, await changed({ folder: '' }))).toMatchObject({ status: 'done' })
      await addOlderPhp(host)
      expect(await settingsOf()).toMatchObject({ php: '8.4', versions: ['8.2', '8.4'] })
      const watching = watchSite(host, two.domain)
      expect(await endOf(machine, await changed({ php: '8.2' }))).toMatchObject({ status: 'done' })
      expect(await visit(host, one.domain, '/php.php')).toMatch(/^200 8\.2 /)
      expect(await visit(host, two.domain, '/php.php')).toMatch(/^200 8\.4 /)
      // As an upgrade leaves it: the program is gone, and the site with it.
      await host.run(`systemctl stop gatehouse-php8.2@${one.name} && mv /usr/sbin/php-fpm8.2 /root/`)
      expect(await visit(host, one.domain, '/php.php')).toMatch(/^50/)
      expect(await settingsOf()).toMatchObject({ php: '8.2', versions: ['8.4'] })
      expect(await endOf(machine, await changed({ memoryMb: 300 }))).toMatchObject({
        status: 'failed',
        problem: 'unsuitable',
        error: expect.stringContaining('PHP 8.2 is not installed'),
      })
      expect(await endOf(machine, await changed({ php: '8.4' }))).toMatchObject({ status: 'done' })
      // Another one would take the socket at the next boot.
      expect((await host.run(`cd /etc/systemd/system/multi-user.target.wants && echo gatehouse-php*@${one.name}.service`)).stdout).toBe(
        `gatehouse-php8.4@${one.name}.service\n`,
      )
      expect(await watching.stop()).toMatchObject({ failed: [] })
      expect(await visit(host, one.domain, '/php.php')).toMatch(/^200 8\.4 /)
      await host.reboot()
      await expect.poll(() => visit(host, one.domain, '/php.php').catch(() => ''), { timeout: 30_000 }).toMatch(/^200 8\.4 /)
    },
  )
})
