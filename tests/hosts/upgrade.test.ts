/** A server with sites that commit 9fc11616 made, brought up to date and used. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { InstallLine, MachineSummary } from '@/lib/service/machines/machine'
import { openChance } from '../support/seeds'
import { install } from './install-run'
import { startInstalled } from './installed'
import type { AdmittedHost } from './reach'
import { someDebians } from './releases'
import { followServerJob, textOfLines } from './server-job'
import { formerAdminPassword, prepareFormerServer, runFormerJob } from './sites/former'
import { sftp } from './sites/sftp'
import { backingUp, creation, endOf, restoring, siteNamed, sitePassword, upload, visit } from './sites/site-job'
import { ask, signInToWordPress } from './sites/wordpress'

const chance = openChance()

const blog = siteNamed('blogtest1a2b', 'blog.test', ['www.blog.test'])
const edited = siteNamed('edittest3c4d', 'edited.test')
const bound = siteNamed('boundtest5e6f', 'bound.test')

/** What PHP sees only with the unit of then, as a test of any change of it. */
const formerUnitLine = 'BindReadOnlyPaths=/etc/hostname:/opt/former'
const bindsFormer = "<?php http_response_code(@filesize('/opt/former') > 0 ? 200 : 500); echo 'bound';"

describe.each(someDebians(chance))(`$debian, SEED=${chance.seed}`, ({ release }) => {
  let admitted: AdmittedHost
  beforeAll(async () => {
    admitted = await startInstalled(release)
    await prepareFormerServer(admitted)
    for (const site of [blog, edited, bound]) expect(await runFormerJob(admitted, 'create', site)).toMatchObject({ status: 'done' })
    expect(await runFormerJob(admitted, 'app', blog)).toMatchObject({ status: 'done' })
  })
  afterAll(async () => {
    await admitted?.[Symbol.asyncDispose]()
  })

  const run = async (command: string): Promise<string> => {
    const { code, stdout, stderr } = await admitted.host.run(command)
    expect(code, `${command}: ${stderr}`).toBe(0)
    return stdout
  }
  const upgrade = (onLine?: (line: InstallLine) => Promise<unknown>) => followServerJob(admitted.machine.upgrade, onLine)
  /** The first summary of a host that has much to do may take too long. */
  const summary = async (left = 3): Promise<MachineSummary> =>
    admitted.machine.summary().catch((error: unknown) => {
      if (left === 0) throw error
      return summary(left - 1)
    })
  const outdated = async (): Promise<string[]> => (await summary()).outdated_sites
  const settingsOf = ({ name }: { name: string }) => run(`cat /etc/gatehouse/sites/${name}/php-fpm.conf`)
  const vhostOf = ({ name }: { name: string }) => `/etc/apache2/sites-available/zz-gatehouse-${name}.conf`
  /** What the server has of ours, and when each file was written. */
  /** What limits mail of sites, and slows guesses of passwords. sshd of Debian 13 does the latter. */
  const guards = () =>
    run(
      `systemctl is-active gatehouse-mail-limits || true; postconf -nh authorized_submit_users 2>/dev/null; fail2ban-client status sshd >/dev/null 2>&1 && echo slowed || echo 'not slowed'`,
    )
  const guarded = `active\n!texthash:/etc/gatehouse/sites/.held-mail, static:anyone\n${release === 'bookworm' ? 'slowed' : 'not slowed'}\n`
  const traces = () =>
    run(
      `find /etc/gatehouse /etc/systemd/system /etc/apache2 /etc/logrotate.d /usr/local /etc/ssh -type f -printf '%p %m %u %T@\\n' | sort; systemctl show -P ActiveEnterTimestampMonotonic 'gatehouse-php*@*'`,
    )
  const own = `/home/${blog.name}/public/own`

  test('a run that is killed between two sites says so, leaves every site answering, and the next one continues', async () => {
    const { host, machine } = admitted
    // What is on a server since then: posts, a tenant's own files, an archive, and an admin's edits.
    await run(
      `cd /home/${blog.name}/public && runuser -u ${blog.name} -- php -r 'require "wp-load.php"; wp_insert_post(["post_title" => "Then", "post_content" => "written then", "post_status" => "publish"]);'`,
    )
    await run(
      `runuser -u ${blog.name} -- sh -c 'umask 077; mkdir -p ${own} && cd ${own} && echo secret >secret.txt && echo "<?php return 1;" >config.php && ln -s secret.txt link && ln -s /nowhere dangling && echo x >open.txt && chmod 644 open.txt && mkdir shared && chmod 2770 shared'`,
    )
    expect(await runFormerJob(admitted, 'backup', blog)).toMatchObject({ status: 'done' })
    await upload(host, edited, 'index.php', '<?php echo ini_get("memory_limit"), " ", ini_get("precision");')
    await upload(host, bound, 'index.php', bindsFormer)
    await run(
      `cd /etc/gatehouse/sites/${edited.name} && sed -i 's/^pm.max_children = .*/pm.max_children = 33/; s/^php_value.memory_limit. .*/php_value[memory_limit] = 300M/' php-fpm.conf && printf 'php_value[precision] = 9\\n' >>php-fpm.conf`,
    )
    await run(
      `echo '# an admin was here' >>${vhostOf(edited)}; sed -i '/^ProtectSystem=/a ${formerUnitLine}' /etc/systemd/system/gatehouse-php*@.service; systemctl daemon-reload; systemctl restart 'gatehouse-php*@*' && apache2ctl configtest`,
    )
    await expect.poll(() => visit(host, bound.domain)).toBe('200 bound')
    expect(await visit(host, edited.domain)).toBe('200 300M 9')
    expect(await summary()).toMatchObject({ outdated_server: true, outdated_sites: [blog.domain, bound.domain, edited.domain] })

    const lines = await upgrade(async ({ step, message }) => {
      if (step === bound.domain && message === 'Begun.') await host.run('systemctl kill -s KILL gatehouse-install.service')
    })
    expect(lines.at(-1)).toMatchObject({ status: 'failed', error: expect.stringContaining('Start it again: it continues from there.') })
    // It was half done, and is put back without anybody starting anything.
    await expect.poll(() => visit(host, bound.domain), { timeout: 60_000 }).toBe('200 bound')
    await expect.poll(() => run('systemctl is-active gatehouse-install.service || true'), { timeout: 60_000 }).toMatch(/inactive/)
    expect(await run('ls /var/lib/gatehouse/upgrade/now')).toBe('')
    expect(await outdated()).toEqual([bound.domain, edited.domain])
    expect((await ask(host, blog.domain, '/')).status).toBe(200)
    expect(await visit(host, edited.domain)).toBe('200 300M 9')
    expect(await endOf(machine, backingUp(edited))).toMatchObject({ status: 'done' })
  })

  test('a site that fails with what is new gets back what it had and answers; the others are brought up to date, and edits stay', async () => {
    const { host } = admitted
    const lines = await upgrade()
    expect(lines.at(-1)).toMatchObject({ status: 'failed', error: expect.stringMatching(/1 site could not.*bound\.test.*500/) })
    expect(textOfLines(lines)).toContain(`${edited.domain}: ${vhostOf(edited)} was edited by hand and stays as it is.`)
    expect(textOfLines(lines)).not.toContain(`${blog.domain}: `)
    expect(await outdated()).toEqual([bound.domain])
    expect(await visit(host, bound.domain)).toBe('200 bound')
    expect(await run(`cat ${vhostOf(edited)}`)).toContain('# an admin was here')
    expect(await settingsOf(edited)).toMatch(/^pm\.max_children = 33$/m)
    expect(await settingsOf(edited)).toMatch(/^php_value\[precision\] = 9$/m)
    expect(await visit(host, edited.domain)).toBe('200 300M 9')
    expect(await run('cat /etc/systemd/system/gatehouse-php*@.service')).not.toContain(formerUnitLine)
    // Its own unit outlives a boot.
    expect(await run(`cat /etc/systemd/system/gatehouse-php*@${bound.name}.service`)).toContain(formerUnitLine)
  })

  test('once the site can run with what is new, it is brought up to date too, and another run changes nothing', async () => {
    const { host } = admitted
    await upload(host, bound, 'index.php', "<?php echo @filesize('/opt/former') > 0 ? 'former' : 'today';")
    expect((await upgrade()).at(-1)).toMatchObject({ status: 'done', message: expect.stringContaining('1 site changed.') })
    expect(await summary()).toMatchObject({ outdated_server: false, outdated_sites: [] })
    // What an admin has edited is not of an earlier version.
    await run("cp -p /usr/local/sbin/gatehouse-backup /root/today && echo '# edited' >>/usr/local/sbin/gatehouse-backup")
    expect(await summary()).toMatchObject({ outdated_server: false })
    await run('mv /root/today /usr/local/sbin/gatehouse-backup')
    await expect.poll(() => visit(host, bound.domain)).toBe('200 today')
    expect(await run(`ls /etc/systemd/system | grep -c '@${bound.name}' || true`)).toBe('0\n')
    for (const { name } of [blog, edited, bound]) expect(await run(`cat /etc/gatehouse/sites/${name}/site`)).toMatch(/^state 3$/m)

    expect(await guards()).toBe(guarded)

    const before = await traces()
    const again = await upgrade()
    expect(again.at(-1)).toMatchObject({ status: 'done', message: 'The server and its sites are up to date.' })
    expect(again.map(({ step }) => step)).not.toContain(blog.domain)
    expect(await traces()).toBe(before)
    // An install finds nothing that a hand would have edited.
    expect(textOfLines(await install(admitted))).not.toContain('edited by hand')
  })

  test('the upgrade is taken back as a whole, what was edited since then stays with its site, and it can be done again', async () => {
    const { host } = admitted
    await run(`echo '; since then' >>/etc/gatehouse/sites/${edited.name}/php-fpm.conf`)
    const lines = await followServerJob(admitted.machine.revertUpgrade)
    expect(lines.at(-1)).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/^1 site could not be taken back\. edited\.test: .*php-fpm\.conf/),
    })
    expect(await outdated()).toEqual([blog.domain, bound.domain])
    expect(await guards()).toBe('inactive\nnot slowed\n')
    expect(await run('echo text | sendmail root@localhost && echo taken')).toBe('taken\n')
    expect(await visit(host, bound.domain)).toBe('200 former')
    expect(await run('cat /etc/systemd/system/gatehouse-php*@.service')).toContain(formerUnitLine)
    expect((await ask(host, blog.domain, '/')).text).toContain('written then')
    expect((await upgrade()).at(-1)).toMatchObject({ status: 'done', message: expect.stringContaining('2 sites changed.') })
    await expect.poll(() => visit(host, bound.domain)).toBe('200 today')
    expect(await outdated()).toEqual([])
    expect(await guards()).toBe(guarded)
  })

  test('a former site is used as before: WordPress, SFTP, its own files, a backup, and the archive of then', async () => {
    const { host, machine } = admitted
    expect((await ask(host, blog.domain, '/')).text).toContain('written then')
    expect((await signInToWordPress(host, blog.domain, formerAdminPassword)).text).toContain('id="wpadminbar"')
    expect(await run(`cd ${own} && cat secret.txt link && readlink dangling`)).toBe('secret\nsecret\n/nowhere\n')
    expect(await run(`runuser -u ${blog.name} -- sh -c 'cd ${own} && cat secret.txt && : >shared/new && rm shared/new'`)).toBe('secret\n')
    await run(`echo 'by sftp' >/tmp/sent.txt`)
    const said = await sftp(host, blog.name, sitePassword, ['mkdir sent', 'put /etc/hostname sent/hostname', 'ls -l sent'])
    expect(said).toContain('sent/hostname')
    expect(await visit(host, blog.domain, '/sent/hostname')).toMatch(/^200 /)
    expect(await endOf(machine, backingUp(blog))).toMatchObject({ status: 'done' })
    const archives = await machine.sites.listBackups(blog)
    await run(`rm -rf ${own}/secret.txt; mariadb ${blog.name} -e "UPDATE wp_posts SET post_content = 'changed since'"`)
    expect(await endOf(machine, restoring(blog, archives.at(-1)?.name ?? ''))).toMatchObject({ status: 'done' })
    expect((await ask(host, blog.domain, '/')).text).toContain('written then')
    expect(await run(`cat ${own}/secret.txt`)).toBe('secret\n')
    // A site that is new beside them is of today's version.
    const later = siteNamed('latertest7a8b', 'later.test')
    expect(await endOf(machine, creation(later))).toMatchObject({ status: 'done' })
    expect(await outdated()).toEqual([])
    expect((await followServerJob(machine.revertUpgrade)).at(-1)?.error).toBe(
      'later.test was created since, so the upgrade stays. Nothing was changed.',
    )
  })
})
