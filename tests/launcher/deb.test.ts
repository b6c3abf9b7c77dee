/** The Debian package, on a host with systemd: installed, upgraded, adopting a checkout that two units start, removed and purged. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { must } from '../hosts/deployment'
import { type Host, startHost } from '../hosts/lab/lab'
import { someDebians } from '../hosts/releases'
import { installMissing, systemPath } from '../run/packages.mjs'
import { takeRelease } from '../support/own-release'
import { apt, asNextVersion, currentOf, dataOf, install, makePackage, run, send, show, statesOf } from '../support/package-on-host'
import { openChance } from '../support/seeds'

const chance = openChance()
const dir = mkdtempSync(join(tmpdir(), 'gatehouse-deb-'))
let [deb, newer] = ['', '']

beforeAll(() => {
  expect(installMissing([['/usr/bin/lintian', 'lintian']])).toBeNull()
  const archive = takeRelease(join(dir, 'release'))
  deb = makePackage(archive)
  newer = makePackage(asNextVersion(archive, dir))
}, 900_000)

afterAll(() => rmSync(dir, { recursive: true, force: true }))

/** What deploy/systemd/install.sh put into /etc/systemd/system while a checkout was the way to run two units. */
const formerUnit = (half: string) => `[Unit]
Description=Gatehouse ${half}
[Service]
Type=notify
NotifyAccess=all
User=gatehouse-${half}
WorkingDirectory=/opt/gatehouse
StateDirectory=gatehouse-${half}/data gatehouse-${half}/keys
EnvironmentFile=-/etc/gatehouse/${half}.env
ExecStart=/usr/bin/env node lib/launcher/${half}.mjs
Restart=always
RestartSec=2
[Install]
WantedBy=multi-user.target
`

const page = (host: Host, path: string) => must(host, `wget -qO- http://localhost:3000${path}`)

test('lintian has no errors', () => {
  expect(
    // It runs programs of Debian that no other test needs.
    run('env', `PATH=${systemPath}`, 'lintian', '--fail-on', 'none', '--tag-display-limit', '0', deb)
      .split('\n')
      .filter((line) => line.startsWith('E:')),
  ).toEqual([])
})

describe.each(someDebians(chance))(`$debian, SEED=${chance.seed}`, ({ release }) => {
  test('it is installed on a bare system, watched, upgraded, purged with its data kept, and takes that data up again', async () => {
    await using host = await startHost({ release, login: { kind: 'root-key' }, name: 'packaged' })
    for (const file of [deb, newer]) await send(host, file, '/root')
    await install(host, deb)
    // apt returns once both halves serve.
    expect(await statesOf(host)).toEqual(['active', 'active'])
    await must(host, 'wget -q --spider http://localhost:3000/api/health/ready && wget -q --spider http://localhost:3000/api/health/live')
    expect(await page(host, '/')).toContain('Gatehouse')
    const runs = 'ps -eo user:20=,args= | grep "[/]opt/gatehouse/releases" | cut -d" " -f1 | sort -u'
    expect(await must(host, runs)).toBe('gatehouse-portal\ngatehouse-service\n')
    expect((await host.run('runuser -u gatehouse-portal -- cat /etc/gatehouse/portal.env /etc/gatehouse/service-key')).code).toBe(1)
    expect(await must(host, 'gatehouse keys --service list')).toContain('portal')
    expect(await must(host, 'gatehouse owner setup')).toMatch(/http:\/\/localhost:3000\/setup\S+/)
    expect(await host.run('gatehouse portal')).toMatchObject({ code: 2, stderr: expect.stringContaining('systemctl start') })
    await proveWatchdog(host)
    await proveGivingUp(host)

    const data = await dataOf(host)
    const former = await currentOf(host)
    await must(host, "sed -i 's/^#TRUSTED_PROXIES/TRUSTED_PROXIES/' /etc/gatehouse/portal.env")
    await install(host, newer)
    expect([await currentOf(host), await statesOf(host)]).toEqual(['99.0.0', ['active', 'active']])
    expect(await must(host, 'ls -A /opt/gatehouse/releases')).toBe(`${former}\n99.0.0\n`)
    expect(await must(host, `/opt/gatehouse/releases/${former}/gatehouse version`)).toContain('Gatehouse')
    expect(await must(host, 'cat /etc/gatehouse/portal.env')).toMatch(/^TRUSTED_PROXIES/m)

    const told = await apt(host, 'purge gatehouse')
    expect(told).toContain('Kept /var/lib/gatehouse-portal')
    expect(await dataOf(host)).toBe(data)
    expect((await host.run('ls -d /opt/gatehouse /etc/gatehouse/portal.env /usr/bin/gatehouse')).stdout).toBe('')
    await install(host, deb)
    expect([await dataOf(host), await statesOf(host)]).toEqual([data, ['active', 'active']])
  })

  test('it adopts a checkout that two units start: settings and data stay, units and checkout make room', async () => {
    await using host = await startHost({ release, login: { kind: 'root-key' }, name: 'adopted' })
    await send(host, deb, '/root')
    // The data of a Gatehouse that ran here, and around it what install.sh of that time and git left. The package has its own programs.
    await install(host, deb)
    await apt(host, 'purge gatehouse')
    const data = await dataOf(host)
    await must(
      host,
      'rm /etc/gatehouse/service-key; install -d /opt/gatehouse/lib/launcher /opt/gatehouse/.git; echo "//" >/opt/gatehouse/lib/launcher/portal.mjs',
    )
    await must(
      host,
      'printf "LOG_LEVEL=warn\\nTRUSTED_PROXIES=127.0.0.1\\n" >/etc/gatehouse/portal.env; echo an-api-key-of-before >/etc/gatehouse/service-key',
    )
    for (const half of ['service', 'portal']) await must(host, `cat >/etc/systemd/system/gatehouse-${half}.service`, formerUnit(half))
    await must(
      host,
      'systemctl daemon-reload; systemctl enable -q gatehouse-service gatehouse-portal; systemctl start --no-block gatehouse-service gatehouse-portal',
    )

    const told = await install(host, deb)
    for (const sentence of [
      'Kept the settings in /etc/gatehouse/portal.env',
      'Moved the checkout',
      'Replaced /etc/systemd/system/gatehouse-portal.service',
    ]) {
      expect(told).toContain(sentence)
    }
    expect([await dataOf(host), await statesOf(host)]).toEqual([data, ['active', 'active']])
    expect(await must(host, 'cat /etc/gatehouse/portal.env /etc/gatehouse/service-key')).toBe(
      'LOG_LEVEL=warn\nTRUSTED_PROXIES=127.0.0.1\nan-api-key-of-before\n',
    )
    expect(await show(host, 'portal', 'FragmentPath')).toMatch(/^(\/usr)?\/lib\/systemd\/system\/gatehouse-portal\.service$/)
    expect(await must(host, 'systemctl is-enabled gatehouse-portal gatehouse-service')).toBe('enabled\nenabled\n')
    expect(await must(host, 'ls -A /opt/gatehouse; ls -A /opt/gatehouse/checkout')).toBe('checkout\ncurrent\nreleases\n.git\nlib\nunits\n')
    await host.reboot()
    await expect.poll(() => statesOf(host), { timeout: 60_000 }).toEqual(['active', 'active'])
  })
})

/** The portal's launcher works, but the portal does not answer: systemd starts both again. */
async function proveWatchdog(host: Host): Promise<void> {
  await must(host, 'mkdir /run/systemd/system/gatehouse-portal.service.d')
  await must(host, 'printf "[Service]\\nWatchdogSec=12\\n" >/run/systemd/system/gatehouse-portal.service.d/soon.conf')
  await must(host, 'systemctl daemon-reload && systemctl restart gatehouse-portal')
  await delay(15_000)
  expect(await show(host, 'portal', 'NRestarts')).toBe('0')
  await must(host, 'kill -STOP $(pgrep -u gatehouse-portal -f portal-main)')
  await expect.poll(() => show(host, 'portal', 'NRestarts'), { timeout: 60_000 }).toBe('1')
  await expect.poll(() => statesOf(host), { timeout: 60_000 }).toEqual(['active', 'active'])
  await must(host, 'rm -r /run/systemd/system/gatehouse-portal.service.d && systemctl daemon-reload')
}

/** A setting that is invalid stops the unit at once, and mending it is enough to start it. */
async function proveGivingUp(host: Host): Promise<void> {
  expect((await host.run('echo PORT=http >>/etc/gatehouse/portal.env; systemctl restart gatehouse-portal')).code).toBe(1)
  await delay(3000)
  expect([await show(host, 'portal', 'ActiveState'), await show(host, 'portal', 'ExecMainStatus')]).toEqual(['failed', '78'])
  expect(await must(host, 'journalctl --no-pager -o cat -t gatehouse-portal')).toContain('PORT is invalid: a number is needed.')
  await must(host, "sed -i '/^PORT=http$/d' /etc/gatehouse/portal.env; systemctl start gatehouse-portal")
}
