/** Steps taken by UFW's own code in one process against the same ones by the program ufw: on two real hosts, nothing may differ. */
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { changeFirewallScript, said, ufwStepsProgram } from '@/lib/service/machines/debian/changes/firewall'
import { firewallScript, parseUfwState, renderRules } from '@/lib/service/machines/debian/facts/firewall'
import { openChance, seededRuns } from '../support/seeds'
import { type Host, startHost } from './lab/lab'
import { type AdmittedHost, admitTo } from './reach'
import { someDebians } from './releases'

const chance = openChance()

const install = 'apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends ufw'

/** Rules of every kind that people make by hand, so that the steps have neighbours. */
const byHand = `for rule in "allow CIFS" "allow 22/tcp comment SSH" "allow out 25/tcp" "route allow in on eth0 out on eth1" "allow in on eth0 to any port 53" \
  "allow log 81/tcp" "allow proto esp from 10.0.0.1" "limit 2222/tcp" "reject 23" "deny from 2001:db8::/32"; do ufw $rule; done; ufw --force enable`

/** Leaves a trace whenever the program ufw runs. */
const watchUfw = `sed -i '/^import ufw.frontend/a open("/tmp/ufw-ran", "w")' /usr/sbin/ufw`

const sources = ['any', '0.0.0.0/0', '::/0', '10.0.0.0/8', '192.0.2.7', '2001:db8::/32', '2001:db8::7']
const ports = ['1', '22', '80', '80,443', '6000:6007', '65535', '53,6000:6010']

/** Words of a step that UFW may or may not take. */
function anyStep(count: number): string[] {
  const from = chance.pick(sources)
  const kind = chance.pick(['add', 'add', 'add', 'insert', 'delete'])
  if (kind === 'delete') return ['--force', 'delete', String(1 + chance.below(count + 1))]
  const insert = kind === 'insert' ? ['insert', String(1 + chance.below(count))] : []
  const traffic = chance.pick([[], ['tcp'], ['udp'], ['tcp']])
  const [protocol] = traffic
  const port = protocol === undefined ? chance.pick(['any', '443']) : chance.pick(ports)
  const action = chance.pick(['allow', 'allow', 'deny', 'reject', 'limit'])
  const comment = chance.pick([[], [], ['comment', 'for the café']])
  const words = [...insert, action, ...(protocol ? ['proto', protocol] : []), 'from', from, 'to', 'any']
  return [...words, ...(port === 'any' ? [] : ['port', port]), ...comment]
}

const quote = (words: readonly string[]) => words.map((word) => `'${word}'`).join(' ')

/** All that UFW keeps, and all that the kernel has of it, without the counters. */
async function stateOf(host: Host): Promise<string[]> {
  const { stdout } = await host.run(
    "cd /etc/ufw; cat user.rules user6.rules; stat -c '%a %U %G' user.rules user6.rules; iptables-save; ip6tables-save",
  )
  return stdout.split('\n').flatMap((line) => (line.startsWith('# ') ? [] : [line.replace(/\[\d+:\d+\]$/, '')]))
}

describe.each(someDebians(chance))('$debian', ({ release }) => {
  let [host, peer]: [Host | undefined, Host | undefined] = [undefined, undefined]
  let admitted: Omit<AdmittedHost, 'host'>
  const both = (): [Host, Host] => {
    if (!host || !peer) throw new Error('The hosts have not been started.')
    return [host, peer]
  }
  beforeAll(async () => {
    const started = await Promise.all([0, 1].map(() => startHost({ login: { kind: 'root-key' }, release })))
    for (const one of started) {
      const { code, stderr } = await one.run(`${install} && { ${byHand}; }`, { timeoutMs: 120_000 })
      expect(code, stderr).toBe(0)
    }
    ;[host, peer] = started
    admitted = await admitTo(both()[0])
  }, 180_000)
  afterAll(async () => {
    await admitted.connections.close()
    for (const one of [host, peer]) await one?.stop()
  })

  const readState = async () => parseUfwState((await admitted.connections.read(admitted.reach, { script: firewallScript })).stdout)

  const take = async (...steps: string[][]) => {
    const words = steps.flatMap((step) => [String(step.length), ...step])
    const values = [ufwStepsProgram, renderRules(await readState()), '', '0', ...words]
    return admitted.connections.change(admitted.reach, { script: changeFirewallScript, values })
  }
  const ranUfw = async () => (await both()[0].run('rm /tmp/ufw-ran')).code === 0

  test(`files and kernel are the same after every step, in any order (SEED=${chance.seed})`, { timeout: 300_000 }, async () => {
    const [own, other] = both()
    const onBoth = (command: string) => Promise.all(both().map((one) => one.run(command)))
    await onBoth(`ufw logging ${chance.pick(['low', 'off', 'high'])}`)
    await own.run(watchUfw)
    expect(await stateOf(own)).toEqual(await stateOf(other))
    const runs = seededRuns(100)
    for (let run = 0; run < runs; run += 1) {
      if (run === Math.floor(runs * 0.8)) {
        await onBoth('ufw disable')
        await ranUfw()
      }
      const { rules, rules6 } = await readState()
      const step = anyStep(`${rules}\n${rules6}`.split('\n').length)
      const [ours, theirs] = await Promise.all([take(step), other.run(`LC_ALL=C.UTF-8 ufw ${quote(step)}`)])
      expect([step, ours.code]).toEqual([step, theirs.code === 0 ? 0 : said.refused])
      const now = await stateOf(own)
      expect([step, now]).toEqual([step, await stateOf(other)])
    }
    expect(await ranUfw()).toBe(false)
  })

  test('chains that somebody took out of the kernel are loaded again with the next step', async () => {
    const [own] = both()
    onTestFinished(async () => void (await own.run('ufw --force enable')))
    // What was there by hand may have been deleted by the steps before.
    await own.run('ufw limit 2222/tcp')
    await own.run('ufw --force enable; for tables in iptables ip6tables; do $tables -P INPUT ACCEPT; $tables -F; $tables -X; done')
    expect(await take(['allow', '4710/tcp'])).toMatchObject({ code: 0 })
    const { stdout } = await own.run('iptables-save; ip6tables-save')
    for (const chain of ['ufw-user-input', 'ufw6-user-input']) {
      expect(stdout).toContain(`-A ${chain} -p tcp -m tcp --dport 4710 -j ACCEPT`)
      expect(stdout).toContain(`-A ${chain} -p tcp -m tcp --dport 2222 -j ${chain.replace('input', 'limit-accept')}`)
    }
  })

  test('what the kernel does not take is in no file, and nothing of it in the kernel', async () => {
    const [own] = both()
    const before = await stateOf(own)
    await own.run('mv /usr/sbin/ip6tables-restore /usr/sbin/away; ln -s /bin/false /usr/sbin/ip6tables-restore')
    expect(await take(['allow', '4711/tcp'])).toMatchObject({ code: said.refused })
    expect(await stateOf(own)).toEqual(before)
    await own.run('mv /usr/sbin/away /usr/sbin/ip6tables-restore')
    expect(await take(['allow', '4711/tcp'], ['--force', 'delete', '99'])).toMatchObject({ code: said.refused })
    expect(await stateOf(own)).toEqual(before)
  })

  test('a rule that somebody takes out while we wait for UFW is no reason to delete another', async () => {
    const [own] = both()
    const before = await readState()
    const holder = `import fcntl, time; lock = open('/run/ufw.lock', 'w'); fcntl.lockf(lock, fcntl.LOCK_EX); print('held', flush=True); time.sleep(2)
text = open('/etc/ufw/user.rules').read(); open('/etc/ufw/user.rules', 'w').write(text.replace('### tuple ### ', '### was ### ', 1))`
    const held = own.run('python3 -', { stdin: holder })
    await pause(700)
    expect(await take(['--force', 'delete', '2'])).toMatchObject({ code: said.changed })
    await held
    expect((await readState()).rules).toBe(before.rules.split('\n').slice(1).join('\n'))
  })

  test('another UFW than the one we know does its work itself', async () => {
    const [own] = both()
    await own.run(`sed -i 's/^version = .*/version = "0.99"/' /usr/sbin/ufw`)
    expect(await take(['allow', '4712/tcp'])).toMatchObject({ code: 0 })
    expect(await ranUfw()).toBe(true)
    expect((await readState()).rules.split('\n').at(-1)).toBe('### tuple ### allow tcp 4712 0.0.0.0/0 any 0.0.0.0/0 in')
  })
})
