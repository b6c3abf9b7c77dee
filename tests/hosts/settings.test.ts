/** The hostname of real hosts, and the SSH key we log in with: all tests of a release share one host. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { register } from '../service/conformance/servers'
import { proveHostname, proveResetKey, resetKey, type SettingsTarget, setHostname, summaryOf } from '../service/conformance/settings'
import { get, post, type Said } from '../service/support/caller'
import { openTestService, type TestService } from '../service/support/service'
import { openChance } from '../support/seeds'
import { hostileTexts } from './hostile-texts'
import { type Host, startHost } from './lab/lab'
import { someDebians } from './releases'

const chance = openChance()

const hosts = async (host: Host): Promise<string> => (await host.run('cat /etc/hosts')).stdout

/** The comments of our authorized_keys lines; other lines do not matter to these tests. */
const ourKeys = async (host: Host, user = 'root'): Promise<string[]> => {
  const { stdout } = await host.run(`grep -o 'gatehouse:.*' $(getent passwd ${user} | cut -d: -f6)/.ssh/authorized_keys`)
  return stdout.split('\n').filter((line) => line !== '')
}

describe.each(someDebians(chance))(`$debian SEED=${chance.seed}`, ({ release }) => {
  let host: Host
  let service: TestService
  let target: SettingsTarget
  beforeAll(async () => {
    host = await startHost({ login: { kind: 'root-key' }, release })
    // For an sshd that blocks addresses after several refused logins: these tests are refused often.
    await host.run(
      'sshd -T | grep -qi persourcepenalties && echo "PerSourcePenalties no" >/etc/ssh/sshd_config.d/00-test.conf && systemctl reload ssh',
    )
    service = await openTestService()
    const login = { provider: 'ssh', host: host.ip, port: String(host.port), ...host.login }
    const { id } = await register(service, login, 'settings')
    target = { ...service, id, login, wrongPass: 'wrong' }
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await host.stop()
  })

  test('hostname and SSH key on a host pass the same conformance tests as the sandbox', async () => {
    await proveHostname(target)
    await proveResetKey(target)
    expect(await ourKeys(host)).toHaveLength(1)
  })

  test('a new hostname survives a reboot and changes one line of /etc/hosts, no other byte', async () => {
    const foreign = `# caf\u00e9\n10.0.0.5  db db.internal\n127.0.0.1 localhost\n127.0.1.1 after app.local\n::1 localhost\n`
    await host.run('hostname after; cat >/etc/hosts', { stdin: foreign })
    expect(await setHostname(target, 'Web-1.Example.Org')).toMatchObject({ status: 200 })
    expect(await hosts(host)).toBe(foreign.replace('127.0.1.1 after', '127.0.1.1\tweb-1.example.org web-1'))
    const said = await host.run('hostname; hostname -f; cat /etc/hostname; stat -c %a /etc/hosts; ls -A /etc | grep -c "^.hosts"')
    expect(said.stdout).toBe('web-1.example.org\nweb-1.example.org\nweb-1.example.org\n644\n0\n')
    await host.reboot()
    expect((await host.run('hostname -f')).stdout).toBe('web-1.example.org\n')
    expect((await summaryOf(target)).hostname).toBe('web-1.example.org')
  })

  test('Postfix uses the new hostname immediately, and only if it is installed', async () => {
    const install = 'DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends postfix && systemctl start postfix'
    expect(await host.run(`apt-get update -qq && ${install}`, { timeoutMs: 200_000 })).toMatchObject({ code: 0 })
    const before = (await host.run('postconf -n | grep -v ^myhostname')).stdout
    expect(await setHostname(target, 'mail.example.org')).toMatchObject({ status: 200 })
    expect((await host.run('postconf -h myhostname')).stdout).toBe('mail.example.org\n')
    expect((await host.run('postconf -n | grep -v ^myhostname')).stdout).toBe(before)
    await expect.poll(async () => (await host.run('exec 3<>/dev/tcp/127.0.0.1/25; head -1 <&3')).stdout).toMatch(/^220 mail\.example\.org /)
  })

  test('security 57: any text as hostname is set as such or refused, and has no other effect', async () => {
    const mark = 'touch /tmp/name-marker'
    const before = await hosts(host)
    for (const name of [...hostileTexts(mark), 'a\n127.0.0.1 b', 'a b', '--static', '%s', 'a\0b', `a;${mark}`]) {
      const { status } = await setHostname(target, name)
      expect({ name, status }).toEqual({ name, status: 422 })
    }
    expect(await hosts(host)).toBe(before)
    expect(await host.run('ls /tmp/name-marker')).toMatchObject({ code: 2 })
  })

  test('security 57: any text as user or password can log in or not, and runs nothing', async () => {
    const mark = 'touch /tmp/key-marker'
    for (const nasty of [`$(${mark})`, `\`${mark}\``, `'; ${mark}; '`, '-oProxyCommand=touch', '--', `x${'y'.repeat(4000)}`, 'a"b\'c']) {
      expect((await resetKey(target, { user: nasty })).status).toBe(422)
      expect((await resetKey(target, { pass: nasty })).status).toBe(424)
    }
    expect(await host.run('ls /tmp/key-marker')).toMatchObject({ code: 2 })
    expect(await ourKeys(host)).toHaveLength(1)
  })

  test('a rotation leaves exactly one new SSH key of ours; a wrong login loses nothing', async () => {
    const [before] = await ourKeys(host)
    expect(await resetKey(target, { pass: 'wrong' })).toMatchObject({ status: 424, body: { code: 'login_failed' } })
    expect(await ourKeys(host)).toEqual([before])
    expect((await resetKey(target)).body).toEqual({ success: true })
    const after = await ourKeys(host)
    expect(after).toHaveLength(1)
    expect(after).not.toEqual([before])
    expect(await summaryOf(target)).toMatchObject({ state: 'new' })
  })

  test('reads during a key rotation are answered', async () => {
    let replacing = true
    const readOn = async (): Promise<Said[]> => {
      const said: Said[] = []
      while (replacing) said.push(await get(target, `/servers/${target.id}/cronjobs`))
      return said
    }
    const readers = [readOn(), readOn(), readOn()]
    for (let time = 0; time < 3; time += 1) expect(await resetKey(target)).toMatchObject({ status: 200 })
    replacing = false
    const read = (await Promise.all(readers)).flat()
    expect(read.length).toBeGreaterThan(9)
    expect(read.filter(({ status }) => status !== 200)).toEqual([])
  })

  test('a rotation restores access to a server after its SSH key was removed by hand', async () => {
    await host.run("sed -i '/gatehouse:/d' /root/.ssh/authorized_keys; pkill -KILL -f '^sshd(-session)?: root' || true")
    expect(await setHostname(target, 'out')).toMatchObject({ status: 424, body: { code: 'login_failed' } })
    expect(await resetKey(target)).toMatchObject({ status: 200 })
    expect(await setHostname(target, 'in')).toMatchObject({ status: 200 })
  })

  test('another login user replaces the first, whose SSH key and sudo rule are removed', async () => {
    await host.run('apt-get install -y -qq sudo >/dev/null; useradd -m -s /bin/bash deploy; adduser -q deploy sudo')
    await host.run('chpasswd', { stdin: 'deploy:first one\n' })
    expect(await resetKey(target, { user: 'deploy', pass: 'first one' })).toMatchObject({ status: 200 })
    expect(await ourKeys(host)).toEqual([])
    expect(await ourKeys(host, 'deploy')).toHaveLength(1)
    expect(await summaryOf(target)).toMatchObject({ user: 'deploy' })
    expect(await resetKey(target)).toMatchObject({ status: 200 })
    expect(await ourKeys(host, 'deploy')).toEqual([])
    expect(await host.run('ls /etc/sudoers.d/gatehouse')).toMatchObject({ code: 2 })
  })

  test('security 52: a reinstalled server is accepted only with the host key that a user confirmed', async () => {
    const pinned = await host.hostKeyFingerprint()
    await host.run('rm -f /etc/ssh/ssh_host_*; ssh-keygen -q -A; systemctl restart ssh')
    await host.run("sed -i '/gatehouse:/d' /root/.ssh/authorized_keys; pkill -KILL -f '^sshd(-session)?: root' || true")
    const shown = await host.hostKeyFingerprint()
    expect(shown).not.toBe(pinned)
    for (const hostKey of [undefined, pinned])
      expect(await resetKey(target, hostKey === undefined ? {} : { host_key: hostKey })).toMatchObject({
        status: 424,
        body: { code: 'host_key_changed', host_key: shown },
      })
    expect(await resetKey(target, { host_key: 'ask', pass: '' })).toMatchObject({ status: 424, body: { host_key: shown } })
    expect(await resetKey(target, { host_key: shown })).toMatchObject({ status: 200 })
    expect(await summaryOf(target)).toMatchObject({ host_key: shown, state: 'new' })
    expect(await post(target, `/servers/${target.id}/hostname`, { hostname: 'anew' })).toMatchObject({ status: 200 })
  })
})
