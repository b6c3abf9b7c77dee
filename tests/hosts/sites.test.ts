/** Sites on a real host that Gatehouse installed: all tests share it, and one site is there throughout and answers. */
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SiteJobLine } from '@/lib/service/machines/sites'
import { proveSites } from '../service/conformance/sites'
import { deleteSite, listSites } from '../service/support/slow-work'
import { openChance } from '../support/seeds'
import { startInstalled } from './installed'
import type { AdmittedHost } from './reach'
import { someDebians } from './releases'
import { attemptsPage, attemptToLock } from './sites/attempts'
import { openHttpService } from './sites/http-service'
import { sftp, shell } from './sites/sftp'
import {
  creation,
  databasePassword,
  deletion,
  endOf,
  naming,
  removeBackups,
  runJob,
  siteNamed,
  sitePassword,
  tracesOf,
  upload,
  visit,
} from './sites/site-job'

const chance = openChance()

const one = siteNamed('onetest1a2b', 'one.test', ['www.one.test'])
const two = siteNamed('twotest3c4d', 'two.test')
const three = siteNamed('threetest5e6f', 'three.test')

const hostilePasswords = [`it's "quoted" \\ $(id) \`id\``, 'zażółć 🦊 %s {$x}', '\\', `'; DROP USER root@localhost; -- `, 'p'.repeat(500)]

const stepsOf = (lines: readonly SiteJobLine[]): string[] => [...new Set(lines.map(({ step }) => step))]
const creationSteps = ['Check the server', 'User and folders', 'PHP', 'Database', 'Web server']

describe.each(someDebians(chance))(`$debian, SEED=${chance.seed}`, ({ release }) => {
  let admitted: AdmittedHost
  let before: string
  beforeAll(async () => {
    admitted = await startInstalled(release)
    // The first site sets up what all share, which stays.
    expect(await endOf(admitted.machine, creation(three))).toMatchObject({ status: 'done' })
    expect(await endOf(admitted.machine, deletion(three))).toMatchObject({ status: 'done' })
    await admitted.host.run(removeBackups)
    expect(await endOf(admitted.machine, creation(one))).toMatchObject({ status: 'done' })
    before = await tracesOf(admitted.host)
  })
  afterAll(async () => {
    // A failed beforeAll has no host.
    await admitted?.[Symbol.asyncDispose]()
  })

  const answersThroughout = async () => expect(await visit(admitted.host, one.domain)).toMatch(/^200 .*This site is ready/s)

  test('sites on a host pass the same conformance tests as the sandbox', async () => {
    await using target = await openHttpService(admitted)
    await proveSites(target)
    const [left] = await listSites(target)
    expect(await deleteSite(target, left?.id ?? '', '?without_backup=1')).toMatchObject({ status: 200 })
    await admitted.host.run(removeBackups)
    expect(await tracesOf(admitted.host)).toBe(before)
  })

  test('a site is created by steps and answers for its names; no other name does', async () => {
    const { host, machine } = admitted
    const lines = await runJob(machine, creation(two))
    expect(lines.at(-1)).toEqual({
      line: lines.length,
      step: 'Web server',
      progress: 100,
      status: 'done',
      message: 'two.test is ready.',
    })
    expect(stepsOf(lines)).toEqual(creationSteps)
    expect(await visit(host, 'two.test')).toMatch(/^200 .*This site is ready/s)
    expect(await visit(host, 'www.one.test')).toMatch(/^200 .*This site is ready/s)
    expect(await visit(host, 'www.two.test')).not.toMatch(/This site is ready/)
    const facts = await machine.sites.facts([one, two, siteNamed('nosuchsite', 'none.test')])
    expect([...facts.keys()].sort()).toEqual([one.name, two.name])
    expect(facts.get(two.name)).toMatchObject({ answers: true })
    expect(facts.get(two.name)?.usedBytes).toBeGreaterThan(0)
  })

  test('security 61: from inside one site, PHP reaches nothing of another', async () => {
    const { host } = admitted
    await upload(host, one, 'own.php', '<?php echo "cached";')
    await visit(host, one.domain, '/own.php')
    await host.run('install -m 666 /etc/hostname /dev/shm/of-another')
    await upload(host, two, 'attempts.php', attemptsPage(one.name, databasePassword, two.name))
    const said = await visit(host, two.domain, '/attempts.php')
    expect(said).toMatch(/^200/)
    expect(said).not.toContain('REACHED')
    expect(said.match(/: no$/gm)).toHaveLength(19)
    expect(said).toContain('own database: connected')
    expect(said).toContain(`user: ${two.name}`)
  })

  test('security 61: what a site puts into its folder changes nothing of how it is served: .htaccess, links, other endings of PHP', async () => {
    const { host } = admitted
    await upload(host, two, 'index.php', '<?php echo "front ", $_SERVER["REQUEST_URI"];')
    await upload(host, one, 'secret.txt', 'of the other')
    const version = (await host.run('ls /usr/sbin/php-fpm*')).stdout.trim().replace('/usr/sbin/php-fpm', '')
    for (const socket of [`/run/gatehouse-sites/${one.name}/php.sock`, `/run/php/php${version}-fpm.sock`]) {
      const directives = [
        `SetHandler "proxy:unix:${socket}|fcgi://x"`,
        `RewriteEngine On\nRewriteRule ^reach$ "unix:${socket}|fcgi://x/home/${one.name}/public/own.php" [P]`,
        `SetEnv PHP_ADMIN_VALUE "auto_prepend_file=/home/${one.name}/public/secret.txt"`,
        'Options +FollowSymLinks +Indexes +ExecCGI +Includes',
      ]
      for (const text of directives) {
        await upload(host, two, '.htaccess', text)
        expect(await visit(host, two.domain, '/reach')).toBe('200 front /reach')
      }
    }
    await host.run(`cd /home/${two.name}/public && runuser -u ${two.name} -- ln -s /home/${one.name}/public/secret.txt link.txt`)
    await host.run(`cd /home/${two.name}/public && runuser -u ${two.name} -- ln -s /etc/passwd passwd.txt`)
    for (const path of ['/link.txt', '/passwd.txt', '/.htaccess']) expect(await visit(host, two.domain, path)).toMatch(/^403/)
    for (const ending of ['phtml', 'phar', 'phps']) {
      await upload(host, two, `x.${ending}`, '<?php echo "ran";')
      expect(await visit(host, two.domain, `/x.${ending}`)).toMatch(/^403/)
    }
  })

  test('SFTP shows a site’s user its own folder, and SSH gives neither shell nor forwarding', async () => {
    const { host, machine } = admitted
    const said = await sftp(host, two.name, sitePassword, ['pwd', 'ls /', 'put /etc/hostname up.txt', 'mkdir /x', 'ls /etc', 'ls ..'])
    expect(said).toContain('Remote working directory: /public')
    expect(said).toMatch(/"\/x": Permission denied/)
    expect(said).toMatch(/\/etc" not found|\/etc": No such file/)
    expect((await visit(host, two.domain, '/up.txt')).slice(0, 3)).toBe('200')
    await sftp(host, two.name, sitePassword, [`symlink /home/${one.name}/public/secret.txt by-sftp.txt`])
    expect(await visit(host, two.domain, '/by-sftp.txt')).toMatch(/^(403|404|200 front)/)
    expect(await shell(host, two.name, sitePassword, [])).toContain('This service allows sftp connections only.')
    expect(await shell(host, two.name, sitePassword, ['-W', '127.0.0.1:3306'])).not.toMatch(/mysql_native|MariaDB/)
    expect(await sftp(host, two.name, 'wrong', ['pwd'])).toMatch(/Permission denied/)
    // Failed logins of a site's user from this address do not shut Gatehouse out.
    for (let at = 0; at < 2; at++) await sftp(host, two.name, 'wrong', ['pwd'])
    expect(await machine.summary()).toMatchObject({ hostname: 'lab' })
    expect(await admitted.connections.onNewConnection(admitted.reach, { script: 'echo in' }, 15_000)).toMatchObject({ stdout: 'in\n' })
  })

  test('names of a site come and go while it answers; a name that cannot be served is taken back, and an edit by hand stays', async () => {
    const { host, machine } = admitted
    const named = (...aliases: string[]) => naming({ ...two, aliases })
    expect(await endOf(machine, named('second.test', 'third.test'))).toMatchObject({
      status: 'done',
      message: 'The names of two.test are saved.',
    })
    for (const name of ['two.test', 'second.test', 'third.test']) expect(await visit(host, name)).toBe('200 front /')
    expect(await endOf(machine, named('second.test', 'www.one.test'))).toMatchObject({ status: 'failed', problem: 'unsuitable' })
    const killed = await runJob(machine, named('fourth.test'), async (line) => {
      if (line.step === 'Web server' && line.status === 'running') await host.run('systemctl kill -s KILL gatehouse-site-job-*.service')
    })
    const answers = (await visit(host, 'fourth.test')).includes('front')
    expect(killed.at(-1)?.status).toBe(answers ? 'done' : 'failed')
    expect(await endOf(machine, named())).toMatchObject({ status: 'done' })
    expect(await visit(host, 'second.test')).not.toMatch(/front/)
    const vhost = `/etc/apache2/sites-available/zz-gatehouse-${two.name}.conf`
    await host.run(`echo '# by hand' >>${vhost}`)
    const edited = await tracesOf(host)
    expect(await endOf(machine, named('fifth.test'))).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('was edited by hand'),
    })
    expect(await tracesOf(host)).toBe(edited)
    await host.run(`sed -i '$d' ${vhost}`)
    await answersThroughout()
  })

  test('the password of a database changes for its user and for WordPress, whatever characters it has', async () => {
    const { host, machine } = admitted
    const config = `<?php\ndefine( 'DB_NAME', '${two.name}' );\n/* kept */ define("DB_PASSWORD", "old \\" one");\ndefine('DB_HOST', 'localhost');\n`
    await upload(host, two, 'wp-config.php', config)
    await upload(
      host,
      two,
      'connect.php',
      '<?php mysqli_report(MYSQLI_REPORT_OFF); require "wp-config.php"; echo @mysqli_connect(DB_HOST, DB_NAME, DB_PASSWORD, DB_NAME) ? "in" : "out";',
    )
    expect(await visit(host, two.domain, '/connect.php')).toBe('200 out')
    for (const password of [...hostilePasswords, databasePassword]) {
      expect(await machine.sites.setDatabasePassword(two, password)).toEqual([`/home/${two.name}/public/wp-config.php`])
      // PHP notices a changed file within three seconds.
      await expect.poll(() => visit(host, two.domain, '/connect.php')).toBe('200 in')
    }
    expect(
      (await host.run(`grep -c kept /home/${two.name}/public/wp-config.php; ls -a /home/${two.name}/public | grep -c new`)).stdout,
    ).toBe('1\n0\n')
    await upload(host, two, 'wp-config.php', config.replace(two.name, 'another'))
    expect(await machine.sites.setDatabasePassword(two, databasePassword)).toEqual([])
    await host.run(
      `mariadb ${two.name} -e 'CREATE TABLE "tab le ü" (a INT); CREATE TABLE b (a INT)' --init-command='SET sql_mode=ANSI_QUOTES'`,
    )
    const tables = await machine.sites.tables(two)
    expect(tables).toEqual([
      { name: 'b', bytes: expect.any(Number), rows: 0 },
      { name: 'tab le ü', bytes: expect.any(Number), rows: 0 },
    ])
    await expect(machine.sites.tables(three)).rejects.toMatchObject({ problem: { code: 'changed_meanwhile' } })
  })

  test('where the server reads SQL in other modes, a password is only a password, and sites are created', async () => {
    const { host, machine } = admitted
    const before = (await host.run(`mariadb -NBe 'SELECT @@GLOBAL.sql_mode'`)).stdout.trim()
    await host.run(`mariadb -e "SET GLOBAL sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES'"`)
    const ends = "abcdefgh' , root@localhost IDENTIFIED VIA unix_socket OR mysql_native_password -- "
    for (const password of [ends, 'back\\slash99', databasePassword]) {
      await machine.sites.setDatabasePassword(two, password)
      const signIn = `IFS= read -r MYSQL_PWD; export MYSQL_PWD; mariadb --no-defaults -u ${two.name} -NBe 'SELECT 1'`
      expect([password, (await host.run(signIn, { stdin: `${password}\n` })).stdout]).toEqual([password, '1\n'])
    }
    expect((await host.run('runuser -u nobody -- mariadb --no-defaults -u root -e "SELECT 1"')).code).not.toBe(0)
    expect(await endOf(machine, creation(three))).toMatchObject({ status: 'done' })
    expect(await endOf(machine, deletion(three, false))).toMatchObject({ status: 'done' })
    await host.run(`mariadb -e "SET GLOBAL sql_mode = '${before}'"`)
  })

  test('locks of a site’s own database, sparse files and a killed deletion end in a deletion that is whole, with one backup', async () => {
    const { host, machine } = admitted
    expect(await endOf(machine, creation(three))).toMatchObject({ status: 'done' })
    await host.run(`truncate -s 8T /home/${three.name}/private/sparse; echo '# own' >/etc/gatehouse/sites/${three.name}/apache/own.conf`)
    await host.run(`mariadb -e "CREATE TABLE ${three.name}.t (a INT)"`)
    await upload(host, three, 'lock.php', attemptToLock(databasePassword, three.name))
    void visit(host, three.domain, '/lock.php').catch(() => {})
    await expect.poll(async () => (await host.run('mariadb -e "SHOW PROCESSLIST"')).stdout).toContain('BENCHMARK')
    const killed = await runJob(machine, deletion(three), async (line) => {
      if (line.step === 'Delete' && line.status === 'running') await host.run('systemctl kill -s KILL gatehouse-site-job-*.service')
    })
    const last = killed.at(-1)?.status === 'done' ? killed.at(-1) : await endOf(machine, deletion(three))
    expect(last).toMatchObject({ status: 'done', answer: expect.stringContaining('three.test-') })
    expect((await host.run(`tar -tf ${last?.answer}`)).stdout).toMatch(/apache\/own\.conf/)
    expect((await host.run('ls /var/backups/gatehouse-sites')).stdout.trim()).toBe(last?.answer?.split('/').at(-1))
    await host.run(removeBackups)
  })

  test('visitors of one slow site leave the others room', async () => {
    const { host } = admitted
    await upload(host, two, 'slow.php', '<?php sleep(15);')
    const slow = Array.from({ length: 300 }, () => visit(host, two.domain, '/slow.php').catch(() => ''))
    await delay(2_000)
    await answersThroughout()
    await host.run(`systemctl restart 'gatehouse-php*@${two.name}.service'`)
    await Promise.all(slow)
  })

  test('a name that is served, or taken, is refused before anything is changed', async () => {
    const { machine, host } = admitted
    const now = await tracesOf(host)
    expect(await endOf(machine, creation(siteNamed('another1', 'www.one.test')))).toMatchObject({
      status: 'failed',
      problem: 'unsuitable',
      error: expect.stringMatching(/^www\.one\.test is already served here, by \/etc\/apache2\/sites-enabled\//),
    })
    expect(await endOf(machine, creation(siteNamed(one.name, 'new.test')))).toMatchObject({ status: 'failed', problem: 'unsuitable' })
    expect(await tracesOf(host)).toBe(now)
    await answersThroughout()
  })

  test('a configuration that an admin broke is not reloaded: the error is named, and nothing is changed', async () => {
    const { machine, host } = admitted
    await host.run('printf "<VirtualHost *:80>\\nNoSuchDirective\\n</VirtualHost>\\n" >/etc/apache2/sites-enabled/broken.conf')
    const now = await tracesOf(host)
    for (const work of [creation(three), deletion(two)])
      expect(await endOf(machine, work)).toMatchObject({
        status: 'failed',
        problem: 'unsuitable',
        error: expect.stringMatching(/broken\.conf.*NoSuchDirective.*nothing was changed/is),
      })
    expect(await tracesOf(host)).toBe(now)
    await answersThroughout()
    await host.run('rm /etc/apache2/sites-enabled/broken.conf')
  })

  test('where Apache is to run as another user, nothing is created', async () => {
    const { machine, host } = admitted
    await host.run("sed -i.kept 's/^export APACHE_RUN_USER=.*/export APACHE_RUN_USER=nobody/' /etc/apache2/envvars")
    expect(await endOf(machine, creation(three))).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('does not run as www-data'),
    })
    await host.run('mv /etc/apache2/envvars.kept /etc/apache2/envvars')
  })

  test('a deletion makes a last backup that holds everything, and leaves nothing else; deleting again does nothing', async () => {
    const { machine, host } = admitted
    await host.run(`mariadb ${two.name} -e 'CREATE TABLE kept (word TEXT); INSERT INTO kept VALUES ("ünder")'`)
    await host.run(`echo '* * * * * true' | crontab -u ${two.name} -`)
    const { answer: backup, ...last } = (await endOf(machine, deletion(two))) ?? { answer: undefined }
    expect(last).toMatchObject({ status: 'done', message: 'two.test is deleted.' })
    expect(backup).toMatch(/^\/var\/backups\/gatehouse-sites\/two\.test-\d{8}-\d{6}-delete\.tar\.zst$/)
    const inside = (await host.run(`tar -xOf ${backup} database.sql files/public/index.php virtual-host`)).stdout
    for (const text of ['ünder', 'front ', 'ServerName two.test']) expect(inside).toContain(text)
    await host.run(`${removeBackups}; rm /home/${one.name}/public/own.php /home/${one.name}/public/secret.txt`)
    expect(await tracesOf(host)).toBe(before)
    expect(await endOf(machine, deletion(two))).toMatchObject({ status: 'done' })
    await answersThroughout()
  })

  test('without Debian’s page, names that no site has still get no site; what was removed by hand ends no deletion', async () => {
    const { machine, host } = admitted
    await host.run('a2dissite -q 000-default; rm /etc/apache2/sites-*/00-gatehouse-other-names-80.conf; systemctl reload apache2')
    expect(await endOf(machine, creation(three))).toMatchObject({ status: 'done' })
    expect(await visit(host, 'nobody.test')).toMatch(/^404/)
    await host.run('a2ensite -q 000-default')
    await host.run(
      `rm -rf /home/${three.name} /etc/apache2/sites-*/zz-gatehouse-${three.name}.conf; mariadb -e 'DROP DATABASE ${three.name}'; systemctl reload apache2`,
    )
    const lines = await runJob(machine, deletion(three))
    const backup = lines.at(-1)?.answer
    expect(lines.at(-1)).toMatchObject({ status: 'done', answer: expect.stringContaining('three.test-') })
    expect(lines.filter(({ message }) => message.includes(' is missing, so '))).toHaveLength(3)
    expect((await host.run(`tar -tf ${backup}; ${removeBackups}`)).stdout).toMatch(/^apache\/$/m)
    expect(await tracesOf(host)).toBe(before)
    await answersThroughout()
  })

  test('a full disk ends a creation with its cause and without leftovers', async () => {
    const { machine, host } = admitted
    await host.fillDisk()
    const end = await endOf(machine, creation(three)).catch((error: unknown) => error)
    await host.freeDisk()
    expect(JSON.stringify(end)).toMatch(/disk is full|No space left/)
    expect(await tracesOf(host)).toBe(before)
    await answersThroughout()
  })
})
