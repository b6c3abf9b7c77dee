import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { createConnections } from '@/lib/service/ssh/connections'
import { sessionProcesses, startAdmitted } from './reach'
import { debians } from './releases'

const cutSessions = `pkill -KILL -f '${sessionProcesses}'`

const problemOf = (work: Promise<unknown>) =>
  work.then(
    () => 'no failure',
    (error) => error.problem?.code ?? error,
  )

describe.each(debians)('$debian', ({ release }) => {
  test('a read survives a connection cut before it or during it', async () => {
    await using admitted = await startAdmitted({ kind: 'root-key' }, release)
    const { host, reach, connections } = admitted
    await connections.read(reach, { script: 'true' })
    await host.run(cutSessions)
    expect((await connections.read(reach, { script: 'echo one' })).stdout).toBe('one\n')
    const slow = connections.read(reach, { script: '[[ -e /root/began ]] && echo again || { touch /root/began; sleep 20; }' })
    await expect.poll(() => host.run('ls /root/began').then(({ code }) => code)).toBe(0)
    await host.run(cutSessions)
    expect((await slow).stdout).toBe('again\n')
  })

  test('security 53: a change cut off midway has an unknown outcome, is never repeated, and finishes on the host', async () => {
    await using admitted = await startAdmitted({ kind: 'root-key' }, release)
    const { host, reach, connections } = admitted
    const change = problemOf(connections.change(reach, { script: 'echo began >>/root/log; sleep 2; echo ended >>/root/log; echo output' }))
    await expect.poll(() => host.run('cat /root/log').then(({ stdout }) => stdout)).toBe('began\n')
    await host.run(cutSessions)
    expect(await change).toBe('outcome_unknown')
    await expect.poll(() => host.run('cat /root/log').then(({ stdout }) => stdout), { timeout: 10_000 }).toBe('began\nended\n')
  })

  test('a change over a connection that was cut earlier runs once', async () => {
    await using admitted = await startAdmitted({ kind: 'root-key' }, release)
    const { host, reach, connections } = admitted
    await connections.read(reach, { script: 'true' })
    await host.run(cutSessions)
    await pause(300)
    await connections.change(reach, { script: 'echo once >>/root/log' })
    expect((await host.run('cat /root/log')).stdout).toBe('once\n')
  })

  test('changes wait for each other, reads do not wait, and slow scripts are stopped', async () => {
    await using admitted = await startAdmitted({ kind: 'sudo-free' }, release)
    const { host, reach, connections } = admitted
    const order: string[] = []
    const did = (name: string) => () => order.push(name)
    const slow = connections.change(reach, { script: 'sleep 3; echo slow >>/root/log' }).then(did('slow'))
    const next = connections.change(reach, { script: 'echo next >>/root/log' }).then(did('next'))
    await connections.read(reach, { script: 'true' }).then(did('read'))
    await Promise.all([slow, next])
    expect(order).toEqual(['read', 'slow', 'next'])
    expect((await host.run('cat /root/log')).stdout).toBe('slow\nnext\n')
    expect(await problemOf(connections.read(reach, { script: 'sleep 30', timeoutSeconds: 1 }))).toBe('too_slow')
    expect((await host.run('pgrep -c -x sleep')).stdout.trim()).toBe('0')
  })

  test('security 55: output and settings of a login shell do not affect us', async () => {
    await using admitted = await startAdmitted({ kind: 'sudo-free' }, release)
    const { host, reach, connections } = admitted
    const { user } = reach
    await host.run(
      `printf '%s\\n' 'echo noise' 'printf "gatehouse x 0 0 0\\\\n"' 'export PATH=/tmp/evil BASH_ENV=/tmp/evil' 'id() { echo 1000; }' 'export -f id' >/home/${user}/.bashrc`,
    )
    await connections.drop(reach.id)
    expect((await connections.read(reach, { script: 'id -u; echo "$PATH"; env | grep -c -e BASH -e SUDO' })).stdout).toBe(
      '0\n/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin\n0\n',
    )
  })

  test('security 52: a host that shows another key than its pinned one receives nothing', async () => {
    await using admitted = await startAdmitted({ kind: 'root-key' }, release)
    const { host, reach, connections } = admitted
    await connections.drop(reach.id)
    await host.run('rm /etc/ssh/ssh_host_*; ssh-keygen -A; systemctl restart ssh; : >/var/log/auth.log')
    expect(await problemOf(connections.read(reach, { script: 'true' }))).toBe('host_key_changed')
    expect((await host.run('cat /var/log/auth.log')).stdout).not.toMatch(/Accepted|Failed|authenticating/i)
  })

  test('a connection is kept open while in use and closed when idle', async () => {
    await using admitted = await startAdmitted({ kind: 'root-key' }, release)
    await using connections = createConnections({ idleMs: 300 })
    await admitted.connections.close()
    const sessions = () => admitted.host.run(`pgrep -c -f '${sessionProcesses}notty'`).then(({ stdout }) => Number(stdout))
    await Promise.all([1, 2, 3, 4, 5].map(() => connections.read(admitted.reach, { script: 'sleep 0.2' })))
    expect(await sessions()).toBe(1)
    await expect.poll(sessions, { timeout: 5_000 }).toBe(0)
  })

  test('a user who lost sudo gets an error that says so', async () => {
    await using admitted = await startAdmitted({ kind: 'sudo-password' }, release)
    const { host, reach, connections } = admitted
    await connections.drop(reach.id)
    await host.run('rm /etc/sudoers.d/gatehouse')
    expect(await problemOf(connections.read(reach, { script: 'true' }))).toBe('login_failed')
  })
})
