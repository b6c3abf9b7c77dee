/** The firewall on real hosts: all tests of a release share one host with only UFW installed. */
import { networkInterfaces } from 'node:os'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createDebian } from '@/lib/service/machines/debian/machine'
import type { Machine } from '@/lib/service/machines/machine'
import type { Connections } from '@/lib/service/ssh/connections'
import {
  deleteRule,
  type FirewallTarget,
  getFirewall,
  type ListedRule,
  proveFirewall,
  type RuleFields,
  saveRule,
  sayAll,
  toggle,
} from '../service/conformance/firewall'
import { register } from '../service/conformance/servers'
import { get } from '../service/support/caller'
import { openTestService, type TestService } from '../service/support/service'
import { isOpen } from '../support/open-port'
import { openChance } from '../support/seeds'
import { hostileTexts } from './hostile-texts'
import { knock } from './knock'
import { type Host, startHost } from './lab/lab'
import { type AdmittedHost, admitTo } from './reach'
import { refusesSecond, timerUnit } from './refusing-ufw'
import { someDebians } from './releases'

/** The address of this machine as hosts of the lab see it. */
function ourAddress(host: Host): string {
  const network = host.ip.slice(0, host.ip.lastIndexOf('.') + 1)
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  return all.find(({ address }) => address.startsWith(network))?.address ?? ''
}

/** All rules in the kernel, without counters. */
const kernelRules = async (host: Host): Promise<string[]> =>
  (await host.run('iptables-save; ip6tables-save')).stdout.split('\n').filter((line) => line.startsWith('-A'))

const ufwFiles = async (host: Host): Promise<string> => (await host.run('cat /etc/ufw/user.rules /etc/ufw/user6.rules')).stdout
const tuples = (text: string): string[] => text.split('\n').filter((line) => line.startsWith('### tuple'))

/** The rules for a port, in either family. */
const idsOf = (port: string, rules: readonly ListedRule[]): string[] => rules.filter((rule) => rule.port === port).map(({ id }) => id)

/** Turns the firewall off and deletes all rules, as at the start. */
const clear = (host: Host) => host.run('ufw --force reset && rm -f /etc/ufw/*.20?????? /var/lib/gatehouse/firewall/removed')

/** A service that dies as soon as its change was made: it neither confirms nor reverts it. */
const dying = (connections: Connections): Connections => {
  let changed = false
  const gone = () => Promise.reject(new Error('this service is no more'))
  return {
    ...connections,
    onNewConnection: gone,
    change: (reach, request) => {
      if (changed) return gone()
      changed = true
      return connections.change(reach, request)
    },
  }
}

describe.each(someDebians(openChance()))('$debian', ({ release }) => {
  /** Slow tests run on one release, chosen at random. */

  let host: Host
  let service: TestService
  let target: FirewallTarget
  let admitted: Omit<AdmittedHost, 'host'>
  beforeAll(async () => {
    host = await startHost({ login: { kind: 'root-key' }, release })
    const installed = await host.run(
      'apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends ufw',
      {
        timeoutMs: 120_000,
      },
    )
    expect(installed.code, installed.stderr).toBe(0)
    service = await openTestService()
    const { id } = await register(service, { provider: 'ssh', host: host.ip, port: String(host.port), ...host.login }, 'firewall')
    target = { ...service, id, ours: ourAddress(host) }
    admitted = await admitTo(host)
  })
  afterEach(() => clear(host))
  afterAll(async () => {
    await admitted.connections.close()
    await service[Symbol.asyncDispose]()
    await host.stop()
  })

  /** A server whose service dies on the first change. */
  const doomed = (firewallSeconds: number): Machine =>
    createDebian({ connections: dying(admitted.connections), firewallSeconds }).machine(admitted.reach)

  const mayLogIn = () =>
    admitted.connections.onNewConnection(admitted.reach, { script: 'true' }, 2_000).then(
      ({ code }) => code === 0,
      () => false,
    )

  test('UFW on a host passes the same conformance tests as the sandbox', async () => {
    expect(target.ours).toMatch(/^\d/)
    await proveFirewall(target)
    expect(await host.run('ls -d /var/lib/gatehouse/firewall/saved')).toMatchObject({ code: 2 })
    expect((await host.run('systemctl is-active gatehouse-firewall.timer')).stdout).toBe('inactive\n')
  })

  test('opening and closing a port changes only its own rule in the kernel', async () => {
    await host.run('systemd-run -q --unit=lab-web python3 -m http.server 8080')
    await saveRule(target, { port: '22' })
    await saveRule(target, { port: '443' })
    expect(await toggle(target, '1')).toMatchObject({ status: 200 })
    await expect.poll(() => host.run('ss -ltn | grep -c :8080').then(({ stdout }) => stdout)).toBe('1\n')
    const before = await kernelRules(host)
    expect(await isOpen(host.ip, 8080)).toBe(false)
    expect(await saveRule(target, { port: '8080' })).toMatchObject({ status: 200 })
    expect(await isOpen(host.ip, 8080)).toBe(true)
    const added = (await kernelRules(host)).filter((line) => !before.includes(line))
    expect(added).toEqual([
      '-A ufw-user-input -p tcp -m tcp --dport 8080 -j ACCEPT',
      '-A ufw6-user-input -p tcp -m tcp --dport 8080 -j ACCEPT',
    ])
    // A rule from the middle returns to its position when it is restored, also in the kernel.
    const whole = await kernelRules(host)
    for (const { id } of (await getFirewall(target)).rules.filter(({ port }) => port === '443'))
      expect(await deleteRule(target, id)).toMatchObject({ status: 200 })
    expect(await kernelRules(host)).not.toEqual(whole)
    await saveRule(target, { port: '443' }, idsOf('8080', (await getFirewall(target)).rules))
    expect(await kernelRules(host)).toEqual(whole)
    const open = (await getFirewall(target)).rules.filter(({ port }) => port === '8080')
    for (const { id } of open) expect(await deleteRule(target, id)).toMatchObject({ status: 200 })
    expect(await isOpen(host.ip, 8080)).toBe(false)
    expect(await kernelRules(host)).toEqual(before)
    await host.run('systemctl stop lab-web')
  })

  test('rules added by hand are listed, kept unchanged, deleted by content, and restored to their position with their comment', async () => {
    await host.run(`for rule in "allow CIFS" "allow 22/tcp comment SSH" "allow out 25/tcp" "route allow in on eth0 out on eth1" "allow in on eth0 to any port 53" \
      "allow log 81/tcp" "allow proto esp from 10.0.0.1" "allow proto udp from any port 68 to any port 67" "reject 23" "allow 82/tcp"; do ufw $rule; done`)
    await host.run("ufw insert 4 allow 80/tcp comment 'the web, for all'")
    const { rules } = await getFirewall(target)
    const told = sayAll(rules.filter(({ v6 }) => v6 === ''))
    expect(told).toEqual([
      'allow CIFS/ any',
      'allow 22/tcp any',
      'allow 80/tcp any',
      'allow out 25/tcp any',
      'route allow any on eth0 to eth1/any any',
      'allow 53 on eth0/any any',
      'allow log 81/tcp any',
      'allow any/esp 10.0.0.1',
      'allow 67/udp any port 68',
      'reject 23/any any',
      'allow 82/tcp any',
    ])
    const before = await ufwFiles(host)
    const web = rules.filter(({ port }) => port === '80')
    expect(web.map(({ v6 }) => v6)).toEqual(['', 'v6'])
    for (const { id } of web) expect(await deleteRule(target, id)).toMatchObject({ status: 200 })
    expect(tuples(await ufwFiles(host))).toEqual(tuples(before).filter((line) => !line.includes(' 80 ')))
    const next = web.map((half) => rules[rules.indexOf(half) + 1]?.id ?? '')
    expect(await saveRule(target, { port: '80' }, next)).toMatchObject({ status: 200 })
    expect(await ufwFiles(host)).toBe(before)
    // A rule that the interface cannot express is deleted like any other, without affecting its neighbours.
    for (const { id } of rules.filter(({ port }) => port === 'CIFS' || port === '53 on eth0')) {
      expect(await deleteRule(target, id)).toMatchObject({ status: 200 })
    }
    expect(tuples(await ufwFiles(host))).toEqual(tuples(before).filter((line) => !line.includes('CIFS') && !line.includes(' 53 ')))
  })

  test('a change that UFW refuses halfway is undone, also if the timer that guards the undo cannot be written', async () => {
    await host.run('for port in 22 80 443; do ufw allow $port/tcp; done')
    const { rules } = await getFirewall(target)
    const web = rules.filter(({ port }) => port === '80')
    for (const { id } of web) expect(await deleteRule(target, id)).toMatchObject({ status: 200 })
    const before = await ufwFiles(host)
    await host.run(`mv /usr/sbin/ufw /usr/sbin/ufw-itself; rm -f ${timerUnit}; mkdir ${timerUnit}`)
    await host.run('cat >/usr/sbin/ufw; chmod 755 /usr/sbin/ufw', { stdin: refusesSecond })
    try {
      const next = web.map((half) => rules[rules.indexOf(half) + 1]?.id ?? '')
      expect((await saveRule(target, { port: '80' }, next)).status).toBeGreaterThanOrEqual(400)
      expect((await host.run('cat /run/planted-changes')).stdout).toBe('2\n')
      expect(await ufwFiles(host)).toBe(before)
    } finally {
      await host.run(`rmdir ${timerUnit}; mv -f /usr/sbin/ufw-itself /usr/sbin/ufw`)
    }
  })

  test('while a change is undone no closed port answers, and the previous rules are restored byte for byte', async () => {
    await host.run('systemd-run -q --unit=lab-web python3 -m http.server 8080')
    await expect.poll(() => host.run('ss -ltn | grep -c :8080').then(({ stdout }) => stdout)).toBe('1\n')
    await saveRule(target, { port: '22' })
    await toggle(target, '1')
    const before = { files: await ufwFiles(host), kernel: await kernelRules(host) }
    const knocking = knock(host, 8080)
    const said = await saveRule(target, { action: 'deny', from: target.ours, port: '22' })
    const attempts = await knocking.end()
    expect(said).toMatchObject({ status: 502, body: { error: expect.stringContaining('It was undone.') } })
    expect(attempts.answered).toBe(0)
    expect(attempts.times).toBeGreaterThan(200)
    expect({ files: await ufwFiles(host), kernel: await kernelRules(host) }).toEqual(before)
    await host.run('systemctl stop lab-web')
  })

  test('security 54: a change that cuts us off, of a service that died with it, is undone by the machine itself', async () => {
    await saveRule(target, { port: '22' })
    await toggle(target, '1')
    const before = { files: await ufwFiles(host), kernel: await kernelRules(host) }
    const way = (await getFirewall(target)).rules.find(({ v6 }) => v6 === '')
    await expect(doomed(12).firewall.deleteRule(way?.id ?? '')).rejects.toThrow('unreachable')
    expect(await mayLogIn()).toBe(false)
    // Until then no other change is accepted, because it would be undone too.
    expect(await saveRule(target, { port: '25' })).toMatchObject({ status: 409, body: { code: 'busy' } })
    await expect.poll(() => host.run('ls -d /var/lib/gatehouse/firewall/saved').then(({ code }) => code), { timeout: 20_000 }).toBe(2)
    expect(await mayLogIn()).toBe(true)
    expect({ files: await ufwFiles(host), kernel: await kernelRules(host) }).toEqual(before)
  })

  test('security 54: a change that cuts us off does not outlive a power cut before its time was up', async () => {
    await expect(doomed(90).firewall.toggle(true)).rejects.toThrow('unreachable')
    expect(await mayLogIn()).toBe(false)
    // Unlike a real server, a host of the lab keeps the kernel's rules over a reboot.
    await host.run('for tables in iptables ip6tables; do $tables -P INPUT ACCEPT; $tables -F; $tables -X; done')
    await host.powerCut()
    expect(await mayLogIn()).toBe(true)
    expect((await host.run('ufw status')).stdout).toContain('Status: inactive')
    expect(await host.run('ls -d /var/lib/gatehouse/firewall/saved')).toMatchObject({ code: 2 })
  })

  test('security 59: two services at once lose no rule, and a rule that was changed meanwhile is never deleted', async () => {
    await using other = await openTestService()
    const { id } = await register(other, { provider: 'ssh', host: host.ip, port: String(host.port), ...host.login }, 'firewall too')
    const second = { ...other, id, ours: target.ours }
    const targets = [target, second]
    const ports = ['8001', '8002', '8003', '8004', '8005', '8006']
    const said = await Promise.all(ports.map((port, n) => saveRule(targets[n % 2] ?? target, { port, from: '10.0.0.0/8' })))
    expect(said.map(({ status }) => status)).toEqual(said.map(() => 200))
    const { rules } = await getFirewall(target)
    expect(rules.map(({ port }) => port).sort()).toEqual(ports)
    await host.run(`ufw deny proto tcp from 10.0.0.0/8 to any port ${rules[0]?.port}`)
    const before = await ufwFiles(host)
    expect(await deleteRule(target, rules[0]?.id ?? '')).toMatchObject({ status: 409, body: { code: 'changed_meanwhile' } })
    expect(await get(second, `/servers/${id}/delete`)).toMatchObject({ status: 200 })
    expect(await ufwFiles(host)).toBe(before)
  })

  test('security 57: any value in the fields of a rule is refused or has its exact meaning, and runs nothing', async () => {
    const mark = 'touch /tmp/firewall-marker'
    const nasty = [
      ...hostileTexts(mark),
      '--dry-run',
      '../x',
      '%s',
      '#',
      '22 comment x',
      'any; reset',
      '22/tcp',
      'in on eth0',
      '9'.repeat(4096),
      '&',
      '|',
      '0x16',
      '٢٢',
      '22,',
      'log',
    ]
    const before = await ufwFiles(host)
    for (const field of ['action', 'from', 'port', 'protocol'] satisfies (keyof RuleFields)[])
      for (const text of nasty) expect([field, text, (await saveRule(target, { [field]: text })).status]).toEqual([field, text, 422])
    for (const text of nasty) expect([text, (await deleteRule(target, text)).status]).toEqual([text, 422])
    expect(await ufwFiles(host)).toBe(before)
    expect(await host.run('ls /tmp/firewall-marker')).toMatchObject({ code: 2 })
  })

  test('without UFW the list is empty and nothing can be switched; a deleted server keeps nothing of ours', async () => {
    await host.run('chmod -x /usr/sbin/ufw; mv /usr/sbin/ufw /usr/sbin/ufw-away')
    expect(await getFirewall(target)).toEqual({ active: false, rules: [] })
    for (const said of [await toggle(target, '1'), await saveRule(target)])
      expect(said).toMatchObject({ status: 409, body: { code: 'not_installed' } })
    expect(await toggle(target, '0')).toMatchObject({ status: 200 })
    await host.run('mv /usr/sbin/ufw-away /usr/sbin/ufw; chmod +x /usr/sbin/ufw')
    // The last account to leave removes our files.
    expect(await admitted.machine.cleanUp()).toBe(true)
    expect(await get(target, `/servers/${target.id}/delete`)).toMatchObject({ status: 200, body: { cleaned: true } })
    expect((await host.run('find /etc/systemd /var/lib/gatehouse -name "*gatehouse*" -o -name firewall')).stdout).toBe('')
  })
})
