/** A complete Gatehouse on a Debian host from its package: two users, two units, nginx with TLS in front. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import type { Caller } from '../browser/security/caller'
import { takeRelease } from '../support/own-release'
import { install, makePackage, send } from '../support/package-on-host'
import { createVisitor } from '../support/portal-visitor'
import { changeToCaddy, claimedAddress, createTlsCaller, installNginx, must, portalName, type TlsCaller } from './deployment'
import { type Host, startHost } from './lab/lab'
import { gatewayAddress } from './lab/network'

/** Waits until both halves run and the portal answers through nginx. */
async function waitUntilReady(host: Host, caller: Caller): Promise<void> {
  const ready = async () => (await caller.call('/api/health').catch(() => null))?.status
  for (const deadline = Date.now() + 60_000; (await ready()) !== 200; ) {
    if (Date.now() > deadline) throw new Error(await must(host, 'journalctl --no-pager -n 40 -u gatehouse-service -u gatehouse-portal'))
    await delay(300)
  }
  await must(host, 'systemctl is-active --quiet gatehouse-service gatehouse-portal')
}

/** The arrival time of each line of a job's stream, in milliseconds, to the stream's end. */
async function followLines(caller: TlsCaller, jobId: string, cookie: string): Promise<number[]> {
  const arrivals: number[] = []
  let rest = ''
  for await (const chunk of await caller.open(`/api/jobs/${jobId}/events`, cookie)) {
    const blocks = (rest + chunk).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) if (block.includes('event: line')) arrivals.push(Date.now())
  }
  return arrivals
}

/** Which files of the other half, and of the credentials that systemd passes on, the portal's user can open. */
async function proveApart(host: Host): Promise<void> {
  const forbidden = ['data/service/service.db', 'keys/service/kek.key'].map((file) => `/var/lib/gatehouse-service/${file}`)
  for (const [user, files] of [
    ['gatehouse-portal', [...forbidden, '/etc/gatehouse/service-key', '/etc/gatehouse/portal.env']],
    ['gatehouse-service', ['/var/lib/gatehouse-portal/data/portal/portal.db', '/var/lib/gatehouse-portal/keys/portal/kek.key']],
  ] as const) {
    for (const file of files) {
      await must(host, `test -s ${file}`)
      const { code, stderr } = await host.run(`runuser -u ${user} -- cat ${file}`)
      expect([file, code, stderr]).toEqual([file, 1, expect.stringContaining('Permission denied')])
    }
  }
  const environments = await must(
    host,
    'for pid in $(pgrep -u gatehouse-portal,gatehouse-service); do cat /proc/$pid/environ /proc/$pid/cmdline; done | tr "\\0" "\\n"',
  )
  const key = (await must(host, 'cat /etc/gatehouse/service-key')).trim()
  expect(key.length).toBeGreaterThan(20)
  expect(environments).toContain('SERVICE_KEY_FILE=')
  expect(`${environments}${await must(host, 'journalctl --no-pager')}`).not.toContain(key)
}

/** Lines that a proxy buffered would arrive all at once. */
function expectSpread(arrivals: readonly number[]): void {
  expect(arrivals.length).toBeGreaterThan(20)
  expect(new Set(arrivals.map((at) => Math.floor(at / 500))).size).toBeGreaterThan(6)
}

/** The portal's unit is started again after each crash, but not with a setting that is invalid. Its lines carry its name. */
async function proveGivingUp(host: Host): Promise<void> {
  const show = async (property: string) => (await must(host, `systemctl show -P ${property} gatehouse-portal`)).trim()
  const portalState = async () => `${await show('ActiveState')} ${await show('Result')}`
  for (let crash = 0; crash < 7; crash++) {
    const pid = await show('MainPID')
    await must(host, 'systemctl kill -s KILL gatehouse-portal')
    await expect
      .poll(async () => [(await show('MainPID')) === pid, await portalState()], { timeout: 60_000 })
      .toEqual([false, 'active success'])
  }
  await must(host, 'echo PORT=http >>/etc/gatehouse/portal.env; systemctl restart --no-block gatehouse-portal')
  await expect.poll(portalState, { timeout: 120_000 }).toBe('failed exit-code')
  await delay(5000)
  expect(await portalState()).toBe('failed exit-code')
  const told = await must(host, 'journalctl --no-pager -o cat -t gatehouse-portal')
  expect(told.split('\n').filter((line) => line === 'PORT is invalid: a number is needed.')).toHaveLength(1)
  await must(
    host,
    "sed -i '/^PORT=http$/d' /etc/gatehouse/portal.env; systemctl reset-failed gatehouse-portal; systemctl start gatehouse-portal",
  )
}

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-deployed-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The commands of docs/running.md. Returns the path of the package. */
async function installPackage(host: Host): Promise<string> {
  const deb = makePackage(takeRelease(folder))
  await send(host, deb, '/root')
  await install(host, deb)
  const settings = `PUBLIC_URL=https://${portalName}\nTRUSTED_PROXIES=127.0.0.1\nMETRICS_PORT=9100\n`
  await must(host, 'cat >/etc/gatehouse/portal.env && systemctl restart gatehouse-portal', settings)
  return deb
}

/** Backs both halves up, leaves nothing of them on the host but the backups, and recovers them as docs/running.md says. */
async function recover(host: Host, deb: string): Promise<void> {
  const eachHalf = (commands: string) => must(host, `set -e; for half in service portal; do ${commands}; done`)
  const kept = '/var/backups/gatehouse-$half'
  await eachHalf(`install -d -m 700 -o gatehouse-$half -g gatehouse-$half ${kept}; gatehouse --half $half backup ${kept}/kept`)
  await must(host, 'cp -a /etc/gatehouse /root/settings; DEBIAN_FRONTEND=noninteractive apt-get purge -qq gatehouse; rm -rf /etc/gatehouse')
  await eachHalf('rm -r /var/lib/gatehouse-$half; userdel gatehouse-$half')

  await install(host, deb)
  await must(host, 'systemctl stop gatehouse-portal gatehouse-service; cp /root/settings/*.env /etc/gatehouse/')
  await eachHalf('rm -r /var/lib/gatehouse-$half/*')
  await eachHalf(`chown -R gatehouse-$half: ${kept}; gatehouse --half $half restore ${kept}/kept`)
  expect(await must(host, 'gatehouse keys verify')).toContain('Log integrity verified')
  await must(host, 'systemctl start gatehouse-service gatehouse-portal')
}

test('portal and service run as two users behind nginx or Caddy with TLS: set-up, live install, restarts', async () => {
  await using host = await startHost({ login: { kind: 'root-key' }, name: 'gatehouse' })
  const ca = await installNginx(host)
  const deb = await installPackage(host)
  using caller = createTlsCaller(host, ca)
  await waitUntilReady(host, caller)
  await proveApart(host)

  const printed = await must(host, 'gatehouse owner setup')
  const link = new URL(/https:\S+/.exec(printed)?.[0] ?? '')
  expect(link.origin).toBe(`https://${portalName}`)
  expect((await must(host, 'journalctl --no-pager -u gatehouse-portal')).includes('token=')).toBe(false)
  const visitor = createVisitor(caller)
  const answer = await visitor.setUp(link.href)
  expect(visitor.cookie()).toContain('__Host-')
  expect(String(answer.headers['set-cookie'])).toMatch(/Secure/)
  const jobId = await visitor.install(await visitor.addSandbox('web-fra-01'))
  expectSpread(await followLines(caller, jobId, visitor.cookie()))

  // Clients behind nginx are identified by their own address, whatever they claim.
  const occurrences = (text: string) => host.run(`grep -aqF ${text} /var/lib/gatehouse-portal/data/portal/portal.db*`)
  expect([(await occurrences(gatewayAddress)).code, (await occurrences(claimedAddress)).code]).toEqual([0, 1])
  expect(await must(host, 'exec 3<>/dev/tcp/127.0.0.1/9100; printf "GET /metrics HTTP/1.0\\r\\n\\r\\n" >&3; cat <&3')).toMatch(
    /gatehouse_operations_total\{operation="servers\.install",outcome="done"\} 1\n/,
  )

  await must(host, 'systemctl restart gatehouse-service gatehouse-portal')
  await waitUntilReady(host, caller)
  const listed = await caller.call('/api/servers', { cookie: visitor.cookie() })
  expect([listed.status, listed.text]).toEqual([200, expect.stringContaining('web-fra-01')])
  expect((await caller.call(`/api/jobs/${jobId}`, { cookie: visitor.cookie() })).text).toContain('"done"')

  await changeToCaddy(host)
  await waitUntilReady(host, caller)
  const second = await visitor.install(await visitor.addSandbox('web-fra-02'))
  expectSpread(await followLines(caller, second, visitor.cookie()))
  expect((await occurrences(claimedAddress)).code).toBe(1)

  await proveGivingUp(host)
  await waitUntilReady(host, caller)
  await recover(host, deb)
  await waitUntilReady(host, caller)
  expect(await visitor.signIn()).toBe(true)
  expect((await caller.call('/api/servers', { cookie: visitor.cookie() })).text).toContain('web-fra-02')
  expect(JSON.parse((await caller.call('/api/health/ready')).text)).toEqual({ ready: true, database: true, disk: true, service: true })

  for (const line of (await must(host, 'journalctl -o cat --no-pager -u gatehouse-portal _UID=$(id -u gatehouse-portal)'))
    .trim()
    .split('\n')) {
    expect(line).toMatch(/^\{.*\}$|^Node 20 |^Gatehouse is at |^There is no account yet|^PORT is invalid: /)
  }
})
