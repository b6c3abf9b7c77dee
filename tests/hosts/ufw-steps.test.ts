/** UFW steps on a real host: a change runs all of its steps or none, and only the named rule is changed. */
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { changeFirewallScript, said } from '@/lib/service/machines/debian/changes/firewall'
import { firewallScript, parseUfwState, renderRules } from '@/lib/service/machines/debian/facts/firewall'
import { openChance } from '../support/seeds'
import { knock } from './knock'
import { type Host, startHost } from './lab/lab'
import { type AdmittedHost, admitTo } from './reach'
import { someDebians } from './releases'

const install = 'apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends ufw'

/** Rules of every kind that admins write by hand, so that the steps have neighbours. */
const byHand = `for rule in "allow CIFS" "allow 22/tcp comment SSH" "allow out 25/tcp" "route allow in on eth0 out on eth1" "allow in on eth0 to any port 53" \
  "allow log 81/tcp" "allow proto esp from 10.0.0.1" "limit 2222/tcp" "reject 23" "deny from 2001:db8::/32"; do ufw $rule; done; ufw --force enable`

/** Makes the kernel refuse IPv6 rules that are added one by one, as `ufw allow` does. */
const breakAdditions = `mv /usr/sbin/ip6tables /usr/sbin/away; printf '#!/bin/bash\\ncase "$*" in *"-A ufw6-user-input"*) echo "ip6tables: No chain/target/match by that name." >&2; exit 1 ;; esac\\nexec -a ip6tables /usr/sbin/away "$@"\\n' >/usr/sbin/ip6tables; chmod +x /usr/sbin/ip6tables`

/** All rules that UFW stores, and all of them in the kernel, without counters. */
async function stateOf(host: Host): Promise<string[]> {
  const { stdout } = await host.run(
    "cd /etc/ufw; cat user.rules user6.rules; stat -c '%a %U %G' user.rules user6.rules; iptables-save; ip6tables-save",
  )
  return stdout.split('\n').flatMap((line) => (line.startsWith('# ') ? [] : [line.replace(/\[\d+:\d+\]$/, '')]))
}

describe.each(someDebians(openChance()))('$debian', ({ release }) => {
  let host: Host | undefined
  let admitted: Omit<AdmittedHost, 'host'>
  const started = (): Host => {
    if (!host) throw new Error('The host has not been started.')
    return host
  }
  beforeAll(async () => {
    host = await startHost({ login: { kind: 'root-key' }, release })
    const { code, stderr } = await host.run(`${install} && { ${byHand}; }`, { timeoutMs: 120_000 })
    expect(code, stderr).toBe(0)
    admitted = await admitTo(host)
  })
  afterAll(async () => {
    await admitted.connections.close()
    await host?.stop()
  })

  const readState = async () => parseUfwState((await admitted.connections.read(admitted.reach, { script: firewallScript })).stdout)

  const take = async (...steps: string[][]) => {
    const words = steps.flatMap((step) => [String(step.length), ...step])
    const values = [renderRules(await readState()), '', '0', ...words]
    return admitted.connections.change(admitted.reach, { script: changeFirewallScript, values })
  }

  test('several steps are one change: each rule is in its position, and no closed port answers meanwhile', async () => {
    const own = started()
    await own.run('systemd-run -q --unit=lab-web python3 -m http.server 8080')
    await expect.poll(() => own.run('ss -ltn | grep -c :8080').then(({ stdout }) => stdout)).toBe('1\n')
    const [before, { rules, rules6 }] = [await stateOf(own), await readState()]
    const knocking = knock(own, 8080)
    const deny = (from: string) => ['deny', 'proto', 'tcp', 'from', from, 'to', 'any', 'port', '8085', 'comment', 'for the café']
    expect(await take(['prepend', ...deny('2001:db8::7')], ['insert', '1', ...deny('192.0.2.7')])).toMatchObject({ code: 0 })
    const now = await readState()
    const comment = `comment=${Buffer.from('for the café').toString('hex')}`
    expect(now.rules).toBe(`### tuple ### deny tcp 8085 0.0.0.0/0 any 192.0.2.7 in ${comment}\n${rules}`)
    expect(now.rules6).toBe(`### tuple ### deny tcp 8085 ::/0 any 2001:db8::7 in ${comment}\n${rules6}`)
    // UFW counts the two lines of an application as one rule here.
    const first6 = String(now.rules.split('\n').length)
    expect(await take(['--force', 'delete', first6], ['--force', 'delete', '1'])).toMatchObject({ code: 0 })
    const attempts = await knocking.end()
    expect([attempts.answered, attempts.times > 100]).toEqual([0, true])
    expect(await stateOf(own)).toEqual(before)
  })

  test('if UFW’s chains were removed from the kernel, a change is refused completely', async () => {
    const own = started()
    onTestFinished(async () => void (await own.run('ufw --force enable')))
    await own.run('for tables in iptables ip6tables; do $tables -P INPUT ACCEPT; $tables -F; $tables -X; done')
    const before = await stateOf(own)
    expect(await take(['allow', '4710/tcp'])).toMatchObject({ code: said.refused })
    expect(await stateOf(own)).toEqual(before)
  })

  test('a rule that the kernel refuses is in no file, and none of it is in the kernel', async () => {
    const own = started()
    const before = await stateOf(own)
    await own.run(breakAdditions)
    expect(await take(['allow', '4711/tcp'])).toMatchObject({ code: said.refused })
    expect(await stateOf(own)).toEqual(before)
    await own.run('mv /usr/sbin/away /usr/sbin/ip6tables')
    expect(await take(['allow', '4711/tcp'], ['--force', 'delete', '99'])).toMatchObject({ code: said.refused })
    expect(await stateOf(own)).toEqual(before)
  })

  test('if somebody deletes a rule while we wait for UFW, no other rule is deleted', async () => {
    const own = started()
    const before = await readState()
    const holder = `import fcntl, time; lock = open('/run/ufw.lock', 'w'); fcntl.lockf(lock, fcntl.LOCK_EX); print('held', flush=True); time.sleep(2)
text = open('/etc/ufw/user.rules').read(); open('/etc/ufw/user.rules', 'w').write(text.replace('### tuple ### ', '### was ### ', 1))`
    const held = own.run('python3 -', { stdin: holder })
    await pause(700)
    expect(await take(['--force', 'delete', '2'])).toMatchObject({ code: said.changed })
    await held
    expect((await readState()).rules).toBe(before.rules.split('\n').slice(1).join('\n'))
  })
})
