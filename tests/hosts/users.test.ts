/** System users on real hosts: all tests of a release share one host. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect } from '@/lib/service/ssh/connect'
import { register } from '../service/conformance/servers'
import { deleteUser, goodPass, listUsers, proveUsers, saveUser, type UsersTarget } from '../service/conformance/users'
import { openTestService, type TestService } from '../service/support/service'
import { openChance } from '../support/seeds'
import { hostileTexts } from './hostile-texts'
import { type Host, startHost } from './lab/lab'
import { someDebians } from './releases'

/** Logs in by password over SSH, as the user would. */
async function mayLogIn(host: Host, user: string, password: string): Promise<boolean> {
  const login = await connect({ host: host.ip, port: host.port }, { user, password }, undefined).catch(() => null)
  await login?.end()
  return login !== null
}

const refusal = (said: { status: number; body: Record<string, unknown> }) =>
  [said.status, said.body.code, JSON.stringify(said.body)] as const

describe.each(someDebians(openChance()))('$debian', ({ release }) => {
  let host: Host
  let service: TestService
  let target: UsersTarget
  beforeAll(async () => {
    host = await startHost({ login: { kind: 'sudo-password' }, release })
    service = await openTestService()
    const { id } = await register(service, { provider: 'ssh', host: host.ip, port: String(host.port), ...host.login }, 'users')
    target = { ...service, id, own: host.login.user }
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await host.stop()
  })

  test('system users on a host pass the same conformance tests as the sandbox', async () => {
    await proveUsers(target)
    expect((await host.run('ls /home /var/spool/cron/crontabs')).stdout).not.toMatch(/anna|ben|user\d/)
  })

  test('a new system user can log in and has a private home; after a password change the old password fails', async () => {
    await saveUser(target, 'carla', goodPass)
    expect((await host.run('stat -c "%U:%G %a" /home/carla; getent passwd carla | cut -d: -f6,7')).stdout).toBe(
      'carla:carla 700\n/home/carla:/bin/bash\n',
    )
    expect((await host.run('getent shadow carla')).stdout).toMatch(/^carla:\$y\$/)
    expect(await mayLogIn(host, 'carla', goodPass)).toBe(true)
    const next = `-n "q" 'q' \\ $(id) \`id\` %s zażółć 🦊:x `
    expect(await saveUser(target, 'carla', next)).toMatchObject({ status: 200 })
    expect(await mayLogIn(host, 'carla', next)).toBe(true)
    expect(await mayLogIn(host, 'carla', goodPass)).toBe(false)
  })

  test('a system user that is logged in, runs a program or serves a site is not deleted, and keeps crontab and home', async () => {
    await saveUser(target, 'dora')
    await host.run('echo "1 1 * * * mine" | crontab -u dora -; su dora -c "setsid sleep 300 >/dev/null 2>&1 </dev/null &"')
    const [status, code, said] = refusal(await deleteUser(target, 'dora'))
    expect([status, code]).toEqual([409, 'busy'])
    expect(said).toContain('sleep')
    await host.run('pkill -u dora sleep; while pgrep -u dora; do sleep 0.1; done')
    const sites = {
      '/etc/php/8.2/fpm/pool.d/dora.conf': '[dora]\nuser = dora\n',
      '/etc/apache2/sites-enabled/dora.conf': 'DocumentRoot "/home/dora/public"\n',
    }
    for (const [path, text] of Object.entries(sites)) {
      await host.run(`mkdir -p "$(dirname ${path})" && cat >${path}`, { stdin: text })
      const refused = refusal(await deleteUser(target, 'dora'))
      expect(refused.slice(0, 2)).toEqual([422, 'invalid'])
      expect(refused[2]).toContain(path)
      await host.run(`rm ${path}`)
    }
    await host.run('mkdir -p /var/www/shop && chown dora /var/www/shop')
    expect(refusal(await deleteUser(target, 'dora'))[2]).toContain('/var/www/shop')
    await host.run('rm -r /var/www/shop')
    expect((await host.run('crontab -l -u dora; ls -d /home/dora')).stdout).toBe('1 1 * * * mine\n/home/dora\n')
    expect(await deleteUser(target, 'dora')).toMatchObject({ status: 200 })
    expect((await host.run('id dora; ls -d /home/dora /var/spool/cron/crontabs/dora')).stdout).toBe('')
  })

  test('security 55: a home that is a link, is shared or is not under /home is left in place', async () => {
    await host.run(`mkdir /srv/files && touch /srv/files/kept
      useradd -M -d /home/evil evil && ln -s /srv/files /home/evil && chown -h evil /home/evil
      useradd -M -d /srv/files outside && chown outside /srv/files
      useradd -m -d /home/shared first && useradd -M -d /home/shared second`)
    expect(await listUsers(target)).toEqual(expect.arrayContaining(['evil', 'outside', 'first', 'second']))
    for (const name of ['evil', 'outside', 'first']) expect(await deleteUser(target, name)).toMatchObject({ status: 200 })
    expect((await host.run('ls -d /srv/files/kept /home/shared')).stdout).toBe('/home/shared\n/srv/files/kept\n')
    await deleteUser(target, 'second')
  })

  test('security 60: a system user that replaced the listed one is not deleted', async () => {
    await saveUser(target, 'erik')
    const before = await host.run('getent shadow erik')

    const meanwhile = host.run('exec 9>/run/gatehouse/accounts.lock; flock 9; sleep 1; usermod -u 4712 erik')
    await host.run('until ! flock -n /run/gatehouse/accounts.lock true; do sleep 0.05; done')
    // Whoever can open a lock can hold it.
    expect(await host.run('runuser -u nobody -- cat /run/gatehouse/accounts.lock')).toMatchObject({ code: 1 })
    const said = await Promise.all([deleteUser(target, 'erik'), meanwhile])
    expect(said[0]).toMatchObject({ status: 409, body: { code: 'changed_meanwhile' } })
    expect((await host.run('getent shadow erik')).stdout).toBe(before.stdout)
    expect(await deleteUser(target, 'erik')).toMatchObject({ status: 200 })
  })

  test('files that an unprivileged user creates in world-writable folders block no change', async () => {
    await host.run(`runuser -u nobody -- bash -c '
      for lock in accounts crontab hostname keys; do (exec 9>/run/lock/gatehouse-$lock && flock 9 && exec sleep 20) >/dev/null 2>&1 & done'`)
    const begun = Date.now()
    expect(await saveUser(target, 'greta')).toMatchObject({ status: 200 })
    expect(await deleteUser(target, 'greta')).toMatchObject({ status: 200 })
    expect(Date.now() - begun).toBeLessThan(15_000)
  })

  test('a system user is deleted by exactly the name that the list has, also one that the form for new users refuses', async () => {
    const names = ['jürgen', 'Max.Muster', 'a+b', 'Ab$', 'o|x']
    await host.run('while IFS= read -r name; do useradd --badname -m -- "$name"; done', { stdin: `${names.join('\n')}\n` })
    expect(await listUsers(target)).toEqual(expect.arrayContaining(names))
    for (const name of ['jurgen', 'Jürgen', 'max.muster', 'a', 'Ab', 'x'])
      expect([name, (await deleteUser(target, name)).body.code]).toEqual([name, 'changed_meanwhile'])
    const pool = '/etc/php/8.2/fpm/pool.d/own.conf'
    await host.run(`mkdir -p "$(dirname ${pool})" && printf '[own]\nuser = a+b\n' >${pool}`)
    expect(refusal(await deleteUser(target, 'a+b'))[2]).toContain(pool)
    await host.run(`rm ${pool}`)
    for (const name of names) expect([name, (await deleteUser(target, name)).status]).toEqual([name, 200])
    const left = await host.run('getent passwd | grep -F -f - ; ls -d /home/*', {
      stdin: `${names.map((name) => `${name}:`).join('\n')}\n`,
    })
    for (const name of names) expect(left.stdout).not.toContain(name)
  })

  test('security 57: any value in the fields of a system user is refused or arrives byte for byte, and runs nothing', async () => {
    const mark = 'touch /tmp/user-marker'
    const nasty = [...hostileTexts(mark), '%s%n', '#x', 'a b', 'a:b', 'root:x', ':0:0::/:', 'x'.repeat(4096), '+', '&', '|', ';', '!']
    const before = (await host.run('cat /etc/passwd /etc/group')).stdout
    for (const text of nasty) {
      expect([text, (await saveUser(target, text)).status]).toEqual([text, 422])
      // What could be a name is looked up in the list.
      expect([422, 409]).toContain((await deleteUser(target, text)).status)
    }
    expect((await host.run('cat /etc/passwd /etc/group')).stdout).toBe(before)
    await saveUser(target, 'frida')
    for (const text of nasty) {
      const pass = `${text} and long enough`
      const { status } = await saveUser(target, 'frida', pass)
      if (status !== 200) expect([text, status]).toEqual([text, 422])
      else expect([text, await mayLogIn(host, 'frida', pass)]).toEqual([text, true])
    }
    await deleteUser(target, 'frida')
    expect(await host.run('ls /tmp/user-marker')).toMatchObject({ code: 2 })
  })

  test('security 58: a password appears in no program’s arguments or environment, and in no log', async () => {
    const pass = 'canary-Zq8-never-to-be-seen'
    // The password comes from a file, so that the watcher's own arguments do not contain it.
    await host.run('cat >/root/word', { stdin: 'canary-Zq8' })
    const watch = host.run('end=$((SECONDS + 4)); while ((SECONDS < end)); do grep -slaFf /root/word /proc/[0-9]*/{cmdline,environ}; done')
    for (let round = 0; round < 4; round++) await Promise.all([saveUser(target, 'gita', pass), saveUser(target, `hana${round}`, pass)])
    expect((await watch).stdout).toBe('')
    const logs = 'grep -rlFf /root/word /var/log /var/mail /etc /run /tmp; journalctl -q --no-pager | grep -Ff /root/word; true'
    expect(await host.run(logs)).toMatchObject({ code: 0, stdout: '' })
    for (const name of ['gita', 'hana0', 'hana1', 'hana2', 'hana3']) await deleteUser(target, name)
  })
})
