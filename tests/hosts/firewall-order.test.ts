/** Which source a rule refuses, tested from outside: two hosts connect to a third. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type FirewallTarget, getFirewall, saveRule, sayAll, toggle } from '../service/conformance/firewall'
import { register } from '../service/conformance/servers'
import { post } from '../service/support/caller'
import { openTestService, type TestService } from '../service/support/service'
import { openChance } from '../support/seeds'
import { type Host, startHost } from './lab/lab'
import { someDebians } from './releases'

const release = someDebians(openChance())[0]?.release ?? 'trixie'
const install = 'apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends ufw'

let service: TestService
let target: FirewallTarget
let hosts: Host[]
const [host, denied, other] = [() => at(0), () => at(1), () => at(2)]

function at(place: number): Host {
  const found = hosts[place]
  if (!found) throw new Error('The hosts have not been started.')
  return found
}

beforeAll(async () => {
  hosts = await Promise.all([0, 1, 2].map(() => startHost({ login: { kind: 'root-key' }, release })))
  const installed = await host().run(install, { timeoutMs: 120_000 })
  expect(installed.code, installed.stderr).toBe(0)
  service = await openTestService()
  const { id } = await register(service, { provider: 'ssh', host: host().ip, port: '22', ...host().login }, 'order')
  target = { ...service, id, ours: '' }
  for (const port of [8080, 8090]) await host().run(`systemd-run -q --unit=lab-${port} python3 -m http.server ${port} --bind ::`)
  for (const [n, one] of hosts.entries()) await one.run(`ip -6 addr add 2001:db8::${n + 1}/64 dev eth0 nodad`)
  await vi.waitFor(async () => expect(await comesIn(other(), 8080)).toBe(true), { timeout: 15_000 })
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  for (const one of hosts) await one.stop()
})

const comesIn = async (from: Host, port: number, address = host().ip): Promise<boolean> =>
  (await from.run(`timeout 2 bash -c '</dev/tcp/${address}/${port}'`)).code === 0

const tuples = async (): Promise<string> => (await host().run("grep -h '^### tuple' /etc/ufw/user.rules /etc/ufw/user6.rules")).stdout

const deleteFrom = async (from: string): Promise<void> => {
  const rule = (await getFirewall(target)).rules.find((one) => one.from === from)
  expect(await post(target, `/servers/${target.id}/deletefirewallrule`, { id: rule?.id ?? '' })).toMatchObject({ status: 200 })
}

test('a deny for one address works after allow rules for everyone, other addresses are still allowed, and undo restores the order', async () => {
  await host().run("ufw limit 22/tcp; ufw allow 8080:8085/tcp comment 'for all'; ufw allow 8090; ufw --force enable")
  const before = await tuples()
  const ways = async (from: Host) => [await comesIn(from, 8080), await comesIn(from, 8090)]
  expect([await ways(denied()), await ways(other())]).toEqual([
    [true, true],
    [true, true],
  ])

  // Only one port: the other one stays open to that address.
  const single = { action: 'deny', from: denied().ip, port: '8080', protocol: 'tcp' }
  expect(await saveRule(target, single)).toMatchObject({ status: 200 })
  expect([await ways(denied()), await ways(other())]).toEqual([
    [false, true],
    [true, true],
  ])
  const with8080 = await tuples()
  await deleteFrom(denied().ip)
  expect(await tuples()).toBe(before)
  expect(await saveRule(target, single)).toMatchObject({ status: 200 })
  expect(await tuples()).toBe(with8080)
  await deleteFrom(denied().ip)

  // Without a port: nothing from that address is allowed, so the rule also goes in front of `limit 22`.
  expect(await saveRule(target, { ...single, port: 'any', protocol: 'any' })).toMatchObject({ status: 200 })
  expect([await ways(denied()), await ways(other())]).toEqual([
    [false, false],
    [true, true],
  ])
  expect([await comesIn(denied(), 22), await comesIn(other(), 22)]).toEqual([false, true])
  expect(sayAll((await getFirewall(target)).rules)[0]).toBe(`deny any/any ${denied().ip}`)
  await deleteFrom(denied().ip)
  expect(await tuples()).toBe(before)
})

test('the same applies to IPv6, and a rule that would lock us out is undone byte for byte', async () => {
  await toggle(target, '1')
  const before = await tuples()
  const v6 = '2001:db8::1'
  expect([await comesIn(denied(), 8080, v6), await comesIn(other(), 8080, v6)]).toEqual([true, true])
  expect(await saveRule(target, { action: 'reject', from: '2001:db8::2', port: 'any', protocol: 'any' })).toMatchObject({ status: 200 })
  expect([await comesIn(denied(), 8080, v6), await comesIn(other(), 8080, v6)]).toEqual([false, true])
  await deleteFrom('2001:db8::2')
  expect(await tuples()).toBe(before)
  const network = host().ip.replace(/\d+$/, '0/24')
  expect(await saveRule(target, { action: 'deny', from: network, port: 'any', protocol: 'any' })).toMatchObject({ status: 502 })
  expect(await tuples()).toBe(before)
})

test('a login that takes 5 seconds does not undo a change: the server waits for it', async () => {
  await toggle(target, '0')
  await host().run("sed -i '1i account optional pam_exec.so /bin/sleep 5' /etc/pam.d/sshd")
  expect(await toggle(target, '1')).toMatchObject({ status: 200 })
  expect((await getFirewall(target)).active).toBe(true)
  await host().run('sed -i 1d /etc/pam.d/sshd')
})

test('with IPv6 off in UFW an IPv6 rule is refused with the setting’s name, and a rule from any is added once', async () => {
  await host().run('ufw allow from 2001:db8::9; sed -i s/^IPV6=.*/IPV6=no/ /etc/default/ufw; ufw reload')
  const before = await tuples()
  const v6 = { action: 'deny', from: '2001:db8::2', port: 'any', protocol: 'any' }
  expect(await saveRule(target, v6)).toMatchObject({ status: 422, body: { fields: { from: expect.stringContaining('IPV6=no') } } })
  expect(await tuples()).toBe(before)
  expect(await saveRule(target, { port: '8443' })).toMatchObject({ status: 200 })
  const { rules } = await getFirewall(target)
  expect(rules.filter(({ v6: family }) => family !== '')).toEqual([])
  expect(sayAll(rules)).toEqual(['limit 22/tcp any', 'allow 8080:8085/tcp any', 'allow 8090/any any', 'allow 8443/tcp any'])
  for (const { id } of rules.filter(({ port }) => port === '8443'))
    expect(await post(target, `/servers/${target.id}/deletefirewallrule`, { id })).toMatchObject({ status: 200 })
  expect(await tuples()).toBe(before)
})

test('with IPv6 off in the kernel it is the same, although UFW is set to use it', async () => {
  await host().run('sed -i s/^IPV6=.*/IPV6=yes/ /etc/default/ufw; mount -t tmpfs none /proc/sys/net')
  try {
    const before = await tuples()
    for (const _ of ['once', 'twice']) expect(await saveRule(target, { port: '8444' })).toMatchObject({ status: 200 })
    const { rules } = await getFirewall(target)
    expect(sayAll(rules.filter(({ port }) => port === '8444'))).toEqual(['allow 8444/tcp any'])
    expect(await saveRule(target, { from: '2001:db8::2' })).toMatchObject({ status: 422, body: { fields: { from: expect.any(String) } } })
    await host().run('ufw delete allow 8444/tcp')
    expect(await tuples()).toBe(before)
  } finally {
    await host().run('umount /proc/sys/net')
  }
})
