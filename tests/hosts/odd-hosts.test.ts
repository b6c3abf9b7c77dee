/** Hosts with slow logins, strict limits or closed accounts: what works, and the error for what does not. */
import { describe, expect, test } from 'vitest'
import { admissionChangesOf } from '@/lib/contract/admission'
import { rootJobs, saveJob } from '../service/conformance/cron'
import { create, register } from '../service/conformance/servers'
import { get } from '../service/support/caller'
import { openTestService } from '../service/support/service'
import { openChance } from '../support/seeds'
import { type Host, type Login, startHost } from './lab/lab'
import { startAdmitted } from './reach'
import { someDebians } from './releases'

const fieldsOf = (host: Host) => ({ provider: 'ssh', name: 'odd', host: host.ip, port: '22', ...host.login })

const sshd = (host: Host, line: string) => host.run(`echo '${line}' >/etc/ssh/sshd_config.d/odd.conf && systemctl reload ssh && sleep 0.3`)

describe.each(someDebians(openChance()))('$debian', ({ release }) => {
  const start = (login: Login) => startHost({ login, release })

  test('a host whose PAM takes 5 seconds per login can be added and used', async () => {
    await using host = await start({ kind: 'sudo-password' })
    const slow = (kind: string) => `${kind} optional pam_exec.so /bin/sleep 5`
    // Password logins wait in the first PAM stack, and all logins, including those by key, in the second.
    await host.run(`sed -i -e '1i ${slow('auth')}' -e '1i ${slow('account')}' /etc/pam.d/sshd`)
    await using service = await openTestService()
    // A wrong password is reported as such however long the answer takes.
    const refused = await create(service, { ...fieldsOf(host), pass: 'not this one' })
    expect(refused).toMatchObject({ status: 424, body: { code: 'login_failed' } })
    const { id } = await register(service, fieldsOf(host), 'slow')
    const target = { ...service, id }
    expect(await get(target, `/servers/${id}/summary`)).toMatchObject({ status: 200 })
    expect(await saveJob(target)).toMatchObject({ status: 200 })
    expect(await rootJobs(target)).toHaveLength(1)
  })

  test('a user without a shell, one refused by PAM and one with an expired account are each told the reason', async () => {
    await using host = await start({ kind: 'sudo-password', user: 'robin' })
    await using service = await openTestService()
    const told = async () => {
      const { status, body } = await create(service, fieldsOf(host))
      expect({ status, ...body }).toMatchObject({ status: 424, code: 'login_failed', error: expect.any(String) })
      return String(body.error)
    }
    await host.run('usermod -s /usr/sbin/nologin robin')
    expect(await told()).toMatch(
      /robin can log in to the server but cannot run commands.*This account is currently not available.*login shell/,
    )
    await host.run('usermod -s /bin/false robin')
    expect(await told()).toMatch(/robin can log in to the server but cannot run commands.*login shell/)
    await host.run('usermod -s /bin/bash robin; echo "Down for repairs" >/etc/nologin')
    expect(await told()).toMatch(/closed the login of robin. It said: Down for repairs/)
    await host.run('rm /etc/nologin; usermod -e 1 robin')
    expect(await told()).toMatch(/closed the login of robin. It said: Your account has expired/)
    expect((await host.run('cat /home/robin/.ssh/authorized_keys /etc/sudoers.d/gatehouse')).stdout).toBe('')
    await host.run('usermod -e "" robin')
    const { id } = await register(service, fieldsOf(host), 'open')
    await host.run('usermod -s /usr/sbin/nologin robin; pkill -KILL -u robin')
    expect(await get(service, `/servers/${id}/cronjobs`)).toMatchObject({
      status: 424,
      body: { error: expect.stringContaining('login shell') },
    })
  })

  test('with one sshd session per connection everything works, including two operations at once next to a stream', async () => {
    await using admitted = await startAdmitted({ kind: 'sudo-free' }, release)
    const { host, reach, connections } = admitted
    await sshd(host, 'MaxSessions 1')
    await connections.drop(reach.id)
    const slow = connections.change(reach, { script: 'sleep 2; echo slow' })
    const controller = new AbortController()
    const stream = connections.stream(reach, { script: 'echo streamed; sleep 2' }, controller.signal)
    const streamed = (async () => {
      let text = ''
      for await (const part of stream) text += part
      return text
    })()
    const read = await connections.read(reach, { script: 'echo read' })
    expect([read.stdout, await streamed, (await slow).stdout]).toEqual(['read\n', 'streamed\n', 'slow\n'])
    // Everything that was added is removed.
    await connections.drop(reach.id)
    await expect.poll(() => host.run("pgrep -fa '^sshd.*@notty'").then(({ stdout }) => stdout)).toBe('')
  })

  test('adding a server makes exactly the changes that the form announced', async () => {
    await using host = await start({ kind: 'sudo-password', user: 'robin' })
    await using service = await openTestService()
    // sudo itself records that an admin has used it.
    const files = async () =>
      (await host.run('find /etc /home /root -xdev -type f ! -name .sudo_as_admin_successful | sort')).stdout.split('\n')
    const before = await files()
    await register(service, fieldsOf(host), 'granted')
    const added = (await files()).filter((path) => !before.includes(path))
    const [key, sudo] = admissionChangesOf('robin')
    expect(added).toEqual([sudo?.file, key?.file.replace('~', '/home/robin')])
    expect((await host.run(`cat ${sudo?.file}`)).stdout).toBe(`${sudo?.line}\n`)
    expect((await host.run('cat /home/robin/.ssh/authorized_keys')).stdout).toMatch(/^ssh-ed25519 \S+ gatehouse:\w+\n$/)
  })

  test('if sshd allows no session, the error names the setting', async () => {
    await using host = await start({ kind: 'root-key' })
    await sshd(host, 'MaxSessions 0')
    await using service = await openTestService()
    const { status, body } = await create(service, fieldsOf(host))
    expect({ status, code: body.code, error: body.error }).toEqual({
      status: 424,
      code: 'login_failed',
      error: expect.stringContaining('MaxSessions'),
    })
  })
})
