/** Sites on hosts that already have a life: an Apache of their own is used and stays as it is; what cannot be used is refused. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openChance } from '../support/seeds'
import { startAuthority } from './lab/authority'
import type { Host } from './lab/lab'
import { type AdmittedHost, startAdmitted } from './reach'
import { someDebians } from './releases'
import { visitSecurely } from './sites/https'
import { creation, deletion, endOf, runJob, siteNamed, tracesOf, visit } from './sites/site-job'

const chance = openChance()
const site = siteNamed('newtest1a2b', 'new.test')

const must = async (host: Host, command: string): Promise<string> => {
  const { code, stdout, stderr } = await host.run(command)
  if (code !== 0) throw new Error(`${command}: ${stderr || stdout}`)
  return stdout
}

const apt = 'DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends install'

/** Two sites that an admin made: one of files, one of PHP in the shared pool. The second is the default for unknown names. */
const ownSites = `
set -e
mkdir -p /srv/first /srv/second
echo 'the first' >/srv/first/index.html
echo '<?php echo "the second ", PHP_SAPI, " ", get_current_user();' >/srv/second/index.php
version=$(ls /etc/php)
a2dissite -q 000-default
a2enmod -q proxy_fcgi setenvif rewrite
a2enconf -q "php$version-fpm"
for name in first second; do
  printf '<VirtualHost *:80>\\n ServerName %s.test\\n DocumentRoot /srv/%s\\n <Directory /srv>\\n Require all granted\\n AllowOverride All\\n </Directory>\\n</VirtualHost>\\n' \\
    $name $name >/etc/apache2/sites-available/$name.conf
done
openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj /CN=first.test -keyout /srv/own.key -out /srv/own.pem 2>/dev/null
ln -s ../sites-available/second.conf /etc/apache2/sites-enabled/a-second.conf
ln -s ../sites-available/first.conf /etc/apache2/sites-enabled/first.conf
systemctl restart "php$version-fpm" apache2`

const ownCertificate = 'openssl s_server -accept 443 -key /srv/own.key -cert /srv/own.pem'
const ownHttps = `
a2enmod -q ssl
sed 's,:80>,:443>\\n SSLEngine on\\n SSLCertificateFile /srv/own.pem\\n SSLCertificateKeyFile /srv/own.key,' /etc/apache2/sites-available/first.conf >/etc/apache2/sites-enabled/first-ssl.conf
systemctl restart apache2`

describe.each(someDebians(chance))(`$debian, SEED=${chance.seed}`, ({ release }) => {
  let admitted: AdmittedHost
  beforeAll(async () => {
    admitted = await startAdmitted({ kind: 'root-key' }, release)
    await must(admitted.host, `apt-get -q update && ${apt} apache2 php-fpm php-mysql mariadb-server`)
    await must(admitted.host, ownSites)
  }, 300_000)
  afterAll(async () => {
    await admitted?.[Symbol.asyncDispose]()
  })

  const names = ['first.test', 'second.test', 'unknown.test', '']
  const answers = async () => Promise.all(names.map((name) => visit(admitted.host, name)))

  const refusal = async () => {
    const { machine, host } = admitted
    const now = await tracesOf(host)
    const end = await endOf(machine, creation(site)).catch((error) => ({
      status: 'failed',
      ...error.problem,
      error: error.problem.sentence,
    }))
    expect(await tracesOf(host)).toBe(now)
    expect(end).toMatchObject({ status: 'failed' })
    return end?.error
  }

  test('SSH that admits only listed users or groups: said before, nothing changed', async () => {
    const { host } = admitted
    const drop = '/etc/ssh/sshd_config.d/10-own.conf'
    for (const [line, said] of [
      ['AllowUsers root', /AllowUsers.*nothing was changed/],
      ['AllowGroups root', /Add gatehouse-sites to that line; nothing was changed/],
    ] as const) {
      await must(host, `echo '${line}' >${drop} && systemctl reload ssh`)
      expect(await refusal()).toMatch(said)
    }
    await must(host, `rm ${drop} && systemctl reload ssh`)
  })

  test('an Apache of the host’s own serves the new site, and every other answers as before throughout', async () => {
    const { host, machine } = admitted
    const before = await answers()
    expect(before[0]).toContain('the first')
    expect(before[1]).toMatch(/the second fpm-fcgi/)
    expect(await endOf(machine, creation(site))).toMatchObject({ status: 'done' })
    expect(await answers()).toEqual(before)
    expect(await visit(host, 'new.test')).toMatch(/^200 .*This site is ready/s)
    expect(await endOf(machine, deletion(site, false))).toMatchObject({ status: 'done' })
    expect(await answers()).toEqual(before)
    expect(await visit(host, 'new.test')).toBe(before[2])
  })

  test('SSL of a site beside an Apache that serves https of its own, and none where another program does', async () => {
    const { host, machine } = admitted
    await using authority = await startAuthority()
    await authority.serveNames(host)
    await authority.addAddresses('new.test', [host.ip])
    const ssl = { kind: 'ssl', site, on: true, authority: { ...authority, contact: '' } } as const
    expect(await endOf(machine, creation(site))).toMatchObject({ status: 'done' })
    await must(host, `systemd-run -q --unit other-https ${ownCertificate} && systemctl is-active other-https`)
    expect(await endOf(machine, ssl)).toMatchObject({ status: 'failed', error: expect.stringMatching(/^openssl serves port 443 here/) })
    await must(host, `systemctl stop other-https && ${ownHttps}`)
    const securely = async () => Promise.all(['first.test', 'unknown.test', 'second.test'].map((name) => visitSecurely(host, name, null)))
    const [before, secureBefore] = [await answers(), await securely()]
    expect(secureBefore[1]?.text).toContain('the first')
    const lines = await runJob(machine, ssl)
    expect(lines.at(-1)).toMatchObject({ status: 'done', message: 'SSL of new.test is on.' })
    // Its first use here: certbot was not installed.
    expect(lines.map(({ step }) => step)).toContain('Certificate program')
    expect(await visitSecurely(host, 'new.test', await authority.chainRoot())).toMatchObject({ status: 200 })
    expect([await answers(), await securely()]).toEqual([before, secureBefore])
    expect(await endOf(machine, deletion(site, false))).toMatchObject({ status: 'done' })
    expect([await answers(), await securely()]).toEqual([before, secureBefore])
  })

  test('MariaDB that does not let root in by its socket is refused with the reason', async () => {
    const { host } = admitted
    await must(host, `mariadb -e "ALTER USER root@localhost IDENTIFIED BY 'of the admin'"`)
    expect(await refusal()).toMatch(/^MariaDB does not let root in through its socket/)
    await must(host, `mariadb -p'of the admin' -e "ALTER USER root@localhost IDENTIFIED VIA unix_socket"`)
  })

  test('Apache with mod_php’s model, and another web server, are refused with the reason', async () => {
    const { host } = admitted
    await must(host, 'a2dismod -q -f mpm_event && a2enmod -q mpm_prefork && systemctl restart apache2')
    expect(await refusal()).toMatch(/^Apache runs with the prefork model here.*nothing was changed/)
    await must(host, `apt-get -q -y purge apache2 apache2-bin && apt-get -q -y autoremove && ${apt} nginx-light && systemctl restart nginx`)
    expect(await refusal()).toMatch(/^nginx serves port 80 or 443 here.*so nothing was changed/)
  })
})
