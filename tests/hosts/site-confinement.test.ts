/** What programs of a site try to get out of the unit that confines them, and what is left of them after it. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openChance } from '../support/seeds'
import { run as local, mustRun } from './lab/command'
import { someDebians } from './releases'
import { useHostWithSites } from './sites/host-with-sites'
import { sftp } from './sites/sftp'
import { creation, deletion, endOf, siteNamed, sitePassword, upload, visit } from './sites/site-job'

const chance = openChance()

const jobOf = (minute: string, command: string, rest = minute.startsWith('@') ? '' : '*') => ({
  minute,
  hour: rest,
  dom: rest,
  mon: rest,
  dow: rest,
  command,
})

const one = siteNamed('oneowner1a2b', 'one.test')
const two = siteNamed('twoowner3c4d', 'two.test')

describe.each(someDebians(chance))(`$debian, SEED=${chance.seed}`, ({ release }) => {
  const admitted = useHostWithSites(release, [one, two])
  const run = async (command: string) => (await admitted().host.run(command)).stdout
  const asPage = async (site: typeof one, code: string): Promise<string> => {
    await upload(admitted().host, site, 'attempt.php', `<?php header('Content-Type: text/plain'); ${code}`)
    return visit(admitted().host, site.domain, '/attempt.php')
  }

  test('security 61: a login by SFTP starts no manager of units that would run programs outside of the unit', async () => {
    const { host } = admitted()
    expect(await sftp(host, one.name, sitePassword, ['pwd'])).toContain('/public')
    const uid = (await run(`id -u ${one.name}`)).trim()
    // What lingering does for a user who is not signed in.
    await run(`mkdir -p /var/lib/systemd/linger; touch /var/lib/systemd/linger/${one.name}; systemctl start user@${uid}`)
    expect(await run(`pgrep -c -u ${one.name} systemd; ls -d /run/user/${uid}; systemctl show -P ActiveState user@${uid}`)).toBe(
      '0\ninactive\n',
    )
    const said = await asPage(
      one,
      `putenv('XDG_RUNTIME_DIR=/run/user/${uid}');
      echo shell_exec('timeout 20 systemd-run --user --quiet --wait -- touch /home/${one.name}/public/escaped 2>&1; ls /run/user 2>&1; echo end');`,
    )
    expect(said).toMatch(/^200 .*end/s)
    expect(await run(`ls /home/${one.name}/public`)).not.toContain('escaped')
    expect(said).toContain('Permission denied')
    // Others have theirs as before.
    expect(await run('useradd -m kim; systemctl start user@$(id -u kim); systemctl show -P ActiveState user@$(id -u kim)')).toBe('active\n')
  })

  test('the user of a site signs in by SFTP with a key that root has given it, and by no key that lies in its folder', async () => {
    const { host } = admitted()
    const dir = await mkdtemp(join(tmpdir(), 'gatehouse-key-'))
    try {
      await mustRun('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(dir, 'key')], {})
      const key = await readFile(join(dir, 'key.pub'), 'utf8')
      const options = ['StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null', 'BatchMode=yes', 'IdentitiesOnly=yes'].flatMap(
        (each) => ['-o', each],
      )
      const signIn = async () =>
        (await local('sftp', [...options, '-i', join(dir, 'key'), `${one.name}@${host.ip}`], { stdin: 'pwd\n' })).stdout
      const inFolder = `/home/${one.name}/.ssh`
      await host.run(`install -d -o ${one.name} ${inFolder}; cat >${inFolder}/authorized_keys`, { stdin: key })
      expect(await signIn()).not.toContain('/public')
      await host.run(`rm -r ${inFolder}; mkdir -p /etc/ssh/gatehouse-sites; cat >/etc/ssh/gatehouse-sites/${one.name}`, { stdin: key })
      expect(await signIn()).toContain('/public')
    } finally {
      await rm(dir, { recursive: true })
    }
  })

  test('security 61: nothing that a program of a site logs reaches the logs of the server', async () => {
    const said = await asPage(
      one,
      `exec("logger -p auth.info -t 'sshd[4242]' 'Failed password for root from 203.0.113.99 port 4022 ssh2'");
      openlog('sshd', 0, LOG_AUTH); syslog(LOG_INFO, 'Failed password for root from 203.0.113.99 port 4022 ssh2');
      foreach (['/dev/log', '/run/systemd/journal/dev-log', '/var/spool/postfix/dev/log'] as $socket) {
        $to = @stream_socket_client("udg://$socket");
        if ($to) fwrite($to, '<38>sshd[4242]: Failed password for root from 203.0.113.99 port 4022 ssh2');
      }
      error_log('of the program'); echo 'sent';`,
    )
    expect(said).toBe('200 sent')
    await run('sleep 1; journalctl --sync')
    expect(await run('journalctl -o cat --no-pager; cat /var/log/auth.log /var/log/syslog')).not.toContain('203.0.113.99')
    expect(await run(`cat /var/log/gatehouse-sites/${one.name}/php.log`)).toContain('of the program')
  })

  test('security 61: cron jobs of a site’s user run confined as its PHP is, and what they print arrives', async () => {
    const { machine } = admitted()
    await machine.cron.save(one.name, jobOf('*', 'ls /home; cat /proc/self/cgroup; ls /run/user; touch /var/tmp/of-cron'))
    expect(await run('ls -A /var/spool/cron/crontabs')).toBe('')
    const mail = async () => (await run(`cat /var/mail/${one.name}`)).replace(/^(Subject|X-).*$/gm, '')
    await expect.poll(mail, { timeout: 150_000, interval: 1000 }).toMatch(/gatehouse-cron@/)
    const said = await mail()
    expect(said).toMatch(new RegExp(`^${one.name}$`, 'm'))
    expect(said).not.toContain(two.name)
    expect(said).toContain('Permission denied')
    expect(await run('ls /var/tmp')).not.toContain('of-cron')
    // An admin who uses crontab(1) sees his jobs confined with the next change.
    await run(`echo '@yearly echo by hand' | crontab -u ${one.name} -`)
    await machine.cron.save(one.name, jobOf('@monthly', 'echo second'))
    expect((await machine.cron.list()).jobs.filter(({ user }) => user === one.name).map(({ command }) => command)).toEqual([
      expect.stringContaining('ls /home'),
      'echo by hand',
      'echo second',
    ])
    expect(await run('ls -A /var/spool/cron/crontabs')).toBe('')
  })

  test('security 61: a program of a site sends mail as its site alone, is never refused for it, and sees nobody’s mail', async () => {
    await run('useradd -m reader; postconf -e defer_transports=smtp; postfix reload; echo x | sendmail someone@elsewhere.test')
    const send = (subject: string, options: string) => `var_dump(mail('reader@localhost', '${subject}', 'text', '', '${options}'));`
    const said = await asPage(
      one,
      `${send('plain', '')} ${send('foreign', '-foffice@two.test')} ${send('own', '-f shop@one.test')}
      passthru("printf 'Subject: direct\\n\\nx\\n' | /usr/sbin/sendmail -i -f office@two.test reader@localhost 2>&1");
      passthru("printf 'Subject: beside\\n\\nx\\n' | /usr/local/lib/gatehouse/sendmail-of-server -f office@two.test reader@localhost 2>&1");
      passthru('(mailq; postqueue -j) 2>&1');`,
    )
    expect(said.match(/bool\(true\)/g)).toHaveLength(3)
    expect(said).toContain("not authorized to use sender='office@two.test'")
    expect(said).toContain('is not allowed to view the mail queue')
    expect(said).not.toContain('elsewhere.test')
    const mails = () => run("grep -E '^(Return-Path|Subject)' /var/mail/reader")
    await expect.poll(mails, { timeout: 30_000 }).toContain('direct')
    expect(await mails()).toBe(
      ['plain', 'foreign', 'own', 'direct']
        .map((subject) => `Return-Path: <${subject === 'own' ? 'shop@one.test' : `${one.name}@lab`}>\nSubject: ${subject}\n`)
        .join(''),
    )
    expect(await run('mailq')).toContain('someone@elsewhere.test')
  })

  test('nothing of a site is left where all users may write, nor in shared memory', async () => {
    const { machine } = admitted()
    const three = siteNamed('threeowner5e', 'three.test')
    expect(await endOf(machine, creation(three))).toMatchObject({ status: 'done' })
    const uid = (await run(`id -u ${three.name}`)).trim()
    await run(`runuser -u ${three.name} -- sh -c 'for at in /tmp /var/tmp /run/lock /dev/shm; do mkdir -p $at/of-three/deep; touch $at/of-three/deep/x $at/x-three; done
      ipcmk -M 100 -p 0600; ipcmk -S 1; ipcmk -Q'; mkdir -p /var/lib/systemd/linger; touch /var/lib/systemd/linger/${three.name}`)
    expect(await endOf(machine, deletion(three, false))).toMatchObject({ status: 'done' })
    expect(
      await run(
        `find / -xdev -uid ${uid} 2>/dev/null; find /tmp /var/tmp /run/lock /dev/shm /var/lib/systemd/linger -name '*three*'; awk '$5 == ${uid} || $8 == ${uid}' /proc/sysvipc/*`,
      ),
    ).toBe('')
  })
})
