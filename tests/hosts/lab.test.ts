import { createConnection } from 'node:net'
import { expect, test } from 'vitest'
import { startHost } from './lab/lab'
import { debians } from './releases'

/** The first output of a port, or the error if no connection could be made within two seconds. */
function greeting(host: string, port: number): Promise<string> {
  return new Promise((resolve) => {
    const socket = createConnection({ host, port, timeout: 2000 })
    socket.once('data', (bytes) => resolve(bytes.toString('latin1')))
    socket.once('error', (error) => resolve(error.message))
    socket.once('timeout', () => resolve('timed out'))
    for (const event of ['data', 'error', 'timeout']) socket.once(event, () => socket.destroy())
  })
}

test.each(debians)('a host is a separate $debian and answers SSH', async ({ release, version }) => {
  await using host = await startHost({ login: { kind: 'root-key' }, name: 'fresh', release })
  expect(await greeting(host.ip, host.port)).toMatch(/^SSH-2\.0-OpenSSH/)
  expect(await host.hostKeyFingerprint()).toMatch(/^SHA256:[A-Za-z0-9+/]{43}$/)
  expect((await host.run('hostname; . /etc/os-release; echo $VERSION_ID; systemctl is-system-running')).stdout).toBe(
    `fresh\n${version}\nrunning\n`,
  )
})

test('hosts that run at the same time do not affect each other', async () => {
  await using first = await startHost({ login: { kind: 'root-key' } })
  await using second = await startHost({ login: { kind: 'root-key' } })
  expect(first.ip).not.toBe(second.ip)
  expect(await first.hostKeyFingerprint()).not.toBe(await second.hostKeyFingerprint())
  await first.run('systemctl stop cron rsyslog')
  expect((await second.run('systemctl is-active cron rsyslog')).stdout).toBe('active\nactive\n')
  expect((await first.run(`ping -c 1 -W 2 ${second.ip}`)).code).toBe(0)
})

test('a host keeps its disk through a reboot and a power cut', async () => {
  await using host = await startHost({ login: { kind: 'root-key' } })
  const bootId = async () => (await host.run('cat /proc/sys/kernel/random/boot_id')).stdout
  await host.run('echo kept > /root/note')
  const boots = [await bootId()]
  await host.reboot()
  boots.push(await bootId())
  await host.powerCut()
  boots.push(await bootId())
  expect(new Set(boots).size).toBe(3)
  expect((await host.run('cat /root/note')).stdout).toBe('kept\n')
  expect(await greeting(host.ip, host.port)).toMatch(/^SSH-/)
})

test('a host without network is unreachable until its network is back', async () => {
  await using host = await startHost({ login: { kind: 'root-key' } })
  await host.cutNetwork()
  expect(await greeting(host.ip, host.port)).toMatch(/timed out|EHOSTUNREACH/)
  await host.restoreNetwork()
  await expect.poll(() => greeting(host.ip, host.port), { timeout: 10_000 }).toMatch(/^SSH-/)
})

test('the address of a stopped host does not answer', async () => {
  const host = await startHost({ login: { kind: 'root-key' } })
  await host.stop()
  expect(await greeting(host.ip, host.port)).toMatch(/timed out|EHOSTUNREACH/)
})

test('a user with a password needs it for sudo, a user with a key has full sudo without one', async () => {
  await using asked = await startHost({ login: { kind: 'sudo-password' } })
  const sudo = `runuser -u ${asked.login.user} -- sudo --stdin --reset-timestamp id -u`
  expect((await asked.run(sudo)).code).not.toBe(0)
  expect((await asked.run(sudo, { stdin: `${asked.login.pass}\n` })).stdout).toBe('0\n')
  await using free = await startHost({ login: { kind: 'sudo-free' } })
  expect((await free.run(`runuser -u ${free.login.user} -- sudo --non-interactive id -u`)).stdout).toBe('0\n')
})

test('apt works on a host, although the host resolves no external names', async () => {
  await using host = await startHost({ login: { kind: 'root-key' } })
  expect(await host.run('apt-get update')).toMatchObject({ code: 0 })
  expect((await host.run('getent hosts deb.debian.org')).code).not.toBe(0)
})
