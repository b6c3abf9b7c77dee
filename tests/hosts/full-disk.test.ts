/** A host with a full disk: every change reports it, and existing files stay unchanged to the byte. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type CronTarget, saveJob } from '../service/conformance/cron'
import { saveRule } from '../service/conformance/firewall'
import { create, register } from '../service/conformance/servers'
import { get, post, type Said } from '../service/support/caller'
import { openTestService, type TestService } from '../service/support/service'
import { openChance } from '../support/seeds'
import { type Host, startHost } from './lab/lab'
import { someDebians } from './releases'

const install = 'apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends ufw'

/** Every file that our changes write to. */
const watched =
  '/etc/hosts /etc/hostname /etc/passwd /etc/shadow /etc/group /etc/ufw /etc/sudoers.d /var/spool/cron/crontabs /root/.ssh /home /var/lib/gatehouse'

describe.each(someDebians(openChance()))('$debian', ({ release }) => {
  let host: Host
  let service: TestService
  let target: CronTarget
  beforeAll(async () => {
    host = await startHost({ login: { kind: 'sudo-password' }, release })
    const installed = await host.run(install, { timeoutMs: 120_000 })
    expect(installed.code, installed.stderr).toBe(0)
    service = await openTestService()
    const { id } = await register(service, { provider: 'ssh', host: host.ip, port: '22', ...host.login }, 'full')
    target = { ...service, id }
    expect(await saveJob(target)).toMatchObject({ status: 200 })
    expect(await saveRule({ ...target, ours: '' }, { port: '22' })).toMatchObject({ status: 200 })
    expect(await post(target, `/servers/${id}/savesystemuser`, { user: 'deploy', pass: 'first password' })).toMatchObject({ status: 200 })
  })
  beforeEach(() => host.fillDisk())
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await host.stop()
  })

  const stateOf = async () =>
    (
      await host.run(
        `cd / && find ${watched} -xdev \\( -name '.pwd.lock' -o -name '*-' \\) -prune -o -type f -exec stat -c '%a %U:%G %n' {} + -exec sha256sum {} + | sort`,
      )
    ).stdout

  const change = (path: string, fields: Record<string, string>) => () => post(target, `/servers/${target.id}/${path}`, fields)

  const changes: [what: string, work: () => Promise<Said>][] = [
    ['a cron job', () => saveJob(target, { command: `new ${'x'.repeat(900)}` })],
    ['a firewall rule', () => saveRule({ ...target, ours: '' }, { port: '8443' })],
    ['the firewall itself', change('savesystemuser', { status: '1' })],
    ['a new system user', change('savesystemuser', { user: 'another', pass: 'some password' })],
    ['a password', change('savesystemuser', { user: 'deploy', pass: 'second password' })],
    ['the hostname', change('hostname', { hostname: 'renamed.example.org' })],
    ['a new key', () => post(target, `/servers/${target.id}/hostname`, host.login)],
    [
      'a second registration',
      async () => {
        await using other = await openTestService()
        return await create(other, { provider: 'ssh', name: 'second', host: host.ip, port: '22', ...host.login })
      },
    ],
  ]
  test.each(changes)('%s is refused with the reason, and nothing was changed', async (_, work) => {
    const before = await stateOf()
    const said = await work()
    expect(said.status, JSON.stringify(said.body)).toBeGreaterThanOrEqual(400)
    expect(said.body.error).toMatch(/server’s disk is full/)
    expect(await stateOf()).toBe(before)
  })

  test('reads work on a full disk, and with free space again each change succeeds', async () => {
    expect(await get(target, `/servers/${target.id}/summary`)).toMatchObject({ status: 200 })
    expect(await get(target, `/servers/${target.id}/cronjobs`)).toMatchObject({ status: 200 })
    await host.freeDisk()
    expect(await saveJob(target, { command: 'new' })).toMatchObject({ status: 200 })
    expect(await saveRule({ ...target, ours: '' }, { port: '8443' })).toMatchObject({ status: 200 })
    expect(await change('savesystemuser', { user: 'another', pass: 'some password' })()).toMatchObject({ status: 200 })
    expect(await change('hostname', { hostname: 'renamed.example.org' })()).toMatchObject({ status: 200 })
  })
})
