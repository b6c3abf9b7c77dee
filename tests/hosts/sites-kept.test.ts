/** Sites on hosts that already have a life: an Apache of their own is used and stays as it is; what cannot be used is refused. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openChance } from '../support/seeds'
import { startAuthority } from './lab/authority'
import type { Host } from './lab/lab'
import { type AdmittedHost, startAdmitted } from './reach'
import { someDebians } from './releases'
import { visitSecurely } from './sites/https'

import { ownNames, setUpOwnApache } from './sites/own-apache'

import { creation, deletion, endOf, rawAnswer, runJob, siteNamed, switchingSsl, tracesOf, visit } from './sites/site-job'

const chance = openChance()
const site = siteNamed('newtest1a2b', 'new.test')

const must = async (host: Host, command: string): Promise<string> => {
  const { code, stdout, stderr } = await host.run(command)
  if (code !== 0) throw new Error(`${command}: ${stderr || stdout}`)
  return stdout
}

const apt = 'DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends install'

const ownCertificate = 'openssl s_server -accept 443 -key /srv/own.key -cert /srv/own.pem'
const ownHttps = `
a2enmod -q ssl
sed 's,:80>,:443>\\n SSLEngine on\\n SSLCertificateFile /srv/own.pem\\n SSLCertificateKeyFile /srv/own.key,' /etc/apache2/sites-available/first.conf >/etc/apache2/sites-enabled/first-ssl.conf
systemctl restart apache2`

describe.each(someDebians(chance))(`$debian, SEED=${chance.seed}`, ({ release }) => {
  let admitted: AdmittedHost
  beforeAll(async () => {
    admitted = await startAdmitted({ kind: 'root-key' }, release)
    await setUpOwnApache(admitted.host)
  })
  afterAll(async () => {
    await admitted?.[Symbol.asyncDispose]()
  })

  /** Byte for byte, except for the time. */
  const answers = async () => Promise.all(ownNames.map((name) => rawAnswer(admitted.host, name)))

  /** Runs the work while every virtual host of the admin is asked again and again: each answers as before throughout. */
  const unnoticed = async <T>(work: () => Promise<T>): Promise<T> => {
    const before = await answers()
    const watching = new AbortController()
    const watched = (async () => {
      while (!watching.signal.aborted) expect(await answers()).toEqual(before)
    })()
    const result = await work().finally(() => watching.abort())
    await watched
    expect(await answers()).toEqual(before)
    return result
  }

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

  const keptParts = async () => {
    const summary = await admitted.machine.summary()
    return 'kept' in summary ? summary.kept : null
  }

  const expectRefusalOfListedLogins = async () => {
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
  }

  test('SSH that admits only listed users or groups: said before, nothing changed', () => expectRefusalOfListedLogins())

  test('an Apache of the host’s own serves the new site, and every other answers as before throughout', async () => {
    const { host, machine } = admitted
    const before = await answers()
    expect(before[0]).toContain('the first')
    expect(before[1]).toMatch(/the second fpm-fcgi/)
    expect(await unnoticed(() => endOf(machine, creation(site)))).toMatchObject({ status: 'done' })
    expect(await visit(host, 'new.test')).toMatch(/^200 .*This site is ready/s)
    expect(await unnoticed(() => endOf(machine, deletion(site, false)))).toMatchObject({ status: 'done' })
    expect(await rawAnswer(host, 'new.test')).toBe(before[2])
  })

  test('SSH that is set up for sites and then admits only listed logins is refused too', () => expectRefusalOfListedLogins())

  // OpenSSH of Debian 12 punishes nobody.
  test.runIf(release === 'trixie')('another address of Gatehouse is exempt from the penalties of SSH again', async () => {
    const { host, machine } = admitted
    const exempt = async () => (await host.run(`sshd -T | sed -n 's/^persourcepenaltyexemptlist //p'`)).stdout.trim()
    const before = await exempt()
    expect(before).not.toBe('')
    const conf = '/etc/ssh/sshd_config.d/60-gatehouse-sites.conf'
    await must(host, `sed -i 's/^PerSourcePenaltyExemptList .*/PerSourcePenaltyExemptList 192.0.2.1/' ${conf} && systemctl reload ssh`)
    expect(await endOf(machine, creation(site))).toMatchObject({ status: 'done' })
    expect(await exempt()).toBe(`192.0.2.1,${before}`)
    expect(await endOf(machine, deletion(site, false))).toMatchObject({ status: 'done' })
  })

  test('an Apache whose main server, or a virtual host for any port, answers at port 80 is refused: a site would take over from it', async () => {
    const { host } = admitted
    const enabled = '/etc/apache2/sites-enabled'
    await must(host, `mkdir /srv/aside && mv ${enabled}/* /srv/aside`)
    for (const text of ['', '<VirtualHost *>\\nDocumentRoot /srv/first\\n</VirtualHost>\\n']) {
      await must(host, `printf '${text}' >${enabled}/any.conf && systemctl reload apache2`)
      expect(await refusal()).toMatch(/^Apache has no virtual host for \*:80 here/)
    }
    await must(host, `rm ${enabled}/any.conf && mv /srv/aside/* ${enabled} && rmdir /srv/aside && systemctl reload apache2`)
  })

  test('a name is refused that a virtual host has which is alone at its address, also as an alias and by a wildcard', async () => {
    const { host, machine } = admitted
    const file = '/etc/apache2/sites-enabled/alone.conf'
    const lines = [
      'Listen 127.0.0.1:8081',
      '<VirtualHost 127.0.0.1:8081>',
      'ServerName alone.test',
      'ServerAlias also.test *.wild.test',
      '</VirtualHost>',
    ]
    await must(host, `cat >${file} <<'END'\n${lines.join('\n')}\nEND\nsystemctl reload apache2`)
    for (const name of ['alone.test', 'also.test', 'any.wild.test']) {
      expect(await endOf(machine, creation({ ...site, domain: name }))).toMatchObject({
        status: 'failed',
        problem: 'unsuitable',
        error: `${name} is already served here, by ${file}:2. Nothing was changed.`,
      })
    }
    await must(host, `rm ${file} && systemctl reload apache2`)
  })

  test('SSL of a site beside an Apache that serves its own https, and none where another program does', async () => {
    const { host, machine } = admitted
    await using authority = await startAuthority()
    await authority.serveNames(host)
    await authority.addAddresses('new.test', [host.ip])
    const ssl = switchingSsl(site, true, { ...authority, contact: '' })
    await must(host, 'apt-get -q -y remove "php$(ls /etc/php)-mysql"')
    const created = await runJob(machine, creation(site))
    expect(created.at(-1)).toMatchObject({ status: 'done' })
    // The module for MariaDB was missing.
    expect(created.map(({ step }) => step)).toContain('PHP packages')
    await must(host, `systemd-run -q --unit other-https ${ownCertificate} && systemctl is-active other-https`)
    expect(await endOf(machine, ssl)).toMatchObject({ status: 'failed', error: expect.stringMatching(/^openssl serves port 443 here/) })
    await must(host, `systemctl stop other-https && a2dismod -q -f rewrite && systemctl reload apache2`)
    expect(await endOf(machine, ssl)).toMatchObject({
      problem: 'unsuitable',
      error: expect.stringMatching(/^Apache’s module rewrite is not/),
    })
    await must(host, `a2enmod -q rewrite && ${ownHttps}`)
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
    const sentence = /^Sites cannot be created here while MariaDB asks root for a password: .*unix_socket/
    expect(await refusal()).toMatch(sentence)
    expect(await keptParts()).toEqual([{ part: 'database', reason: expect.stringMatching(sentence) }])
    await must(
      host,
      `mariadb -p'of the admin' -e "ALTER USER root@localhost IDENTIFIED VIA unix_socket OR mysql_native_password USING PASSWORD('of the admin')"`,
    )
    expect(await keptParts()).toEqual([])
  })

  test('Apache with mod_php’s model, and another web server, are refused with the reason', async () => {
    const { host } = admitted
    await must(host, 'a2dismod -q -f mpm_event && a2enmod -q mpm_prefork && systemctl restart apache2')
    const sentence = /^Sites cannot be created here while Apache runs with mpm_prefork: run “a2dismod mpm_prefork”, “a2enmod mpm_event”/
    expect(await refusal()).toMatch(sentence)
    expect(await keptParts()).toEqual([{ part: 'web', reason: expect.stringMatching(sentence) }])
    await must(
      host,
      `apt-get -q -y purge apache2 apache2-bin && apt-get -q -y autoremove && ${apt} nginx-light && systemctl unmask nginx && systemctl restart nginx`,
    )
    expect(await refusal()).toMatch(/^nginx serves port 80 or 443 here.*so nothing was changed/)
  })
})
