import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createDebian } from '@/lib/service/machines/debian/machine'
import type { FirstLogin } from '@/lib/service/machines/machine'
import { createConnections } from '@/lib/service/ssh/connections'
import { openChance } from '../support/seeds'
import { type Host, startHost } from './lab/lab'
import { startAdmitted } from './reach'
import { someDebians } from './releases'

const loginTo = (host: Host): FirstLogin => ({ host: host.ip, port: host.port, ...host.login })

const { admit } = createDebian({ connections: createConnections() })

/** The problem with which an admission fails. */
const refusal = (login: FirstLogin) =>
  admit(login).then(
    () => 'admitted',
    (error) => error.problem,
  )

/** Everything an admission could leave behind. */
const traces = async (host: Host) =>
  (
    await host.run(
      'cat /root/.ssh/authorized_keys /home/*/.ssh/authorized_keys /etc/sudoers.d/gatehouse 2>/dev/null | grep -e gatehouse: -e NOPASSWD',
    )
  ).stdout

describe.each(someDebians(openChance()))('$debian', ({ release }) => {
  test('security 52: reading the host key sends no credential and attempts no login', async () => {
    await using host = await startHost({ login: { kind: 'root-key' }, release })
    const hostKey = await host.hostKeyFingerprint()
    expect(await refusal({ ...loginTo(host), hostKey: 'ask' })).toMatchObject({ code: 'host_key_unconfirmed', hostKey })
    expect(await refusal({ ...loginTo(host), user: '', pass: '', hostKey: 'ask' })).toMatchObject({ code: 'host_key_unconfirmed', hostKey })
    const log = (await host.run('grep -h sshd /var/log/auth.log')).stdout
    expect(log).not.toMatch(/Accepted|Failed|invalid user|authenticating/i)
  })

  test('security 52: a host with a different key than the confirmed one receives no credential, and the error shows its key', async () => {
    await using host = await startHost({ login: { kind: 'root-key' }, release })
    const confirmed = `SHA256:${'A'.repeat(43)}`
    const shown = await host.hostKeyFingerprint()
    expect(await refusal({ ...loginTo(host), hostKey: confirmed })).toMatchObject({ code: 'host_key_changed', hostKey: shown })
    expect((await host.run('grep -h sshd /var/log/auth.log')).stdout).not.toMatch(/Accepted|Failed|authenticating/i)
  })

  test('security 52: a pinned key of another type is accepted although the host prefers a newer type', async () => {
    await using host = await startHost({ login: { kind: 'root-key' }, release })
    await host.run(
      'test -e /etc/ssh/ssh_host_ecdsa_key || ssh-keygen -q -t ecdsa -N "" -f /etc/ssh/ssh_host_ecdsa_key; systemctl restart ssh',
    )
    const [, ecdsa] = (await host.run('ssh-keygen -lf /etc/ssh/ssh_host_ecdsa_key.pub')).stdout.split(' ')
    expect((await admit({ ...loginTo(host), hostKey: String(ecdsa) })).hostKey).toBe(ecdsa)
  })

  test('every rejected login says what to do and leaves nothing on the host', async () => {
    await using host = await startHost({ login: { kind: 'root-key' }, release })
    const login = loginTo(host)
    const key = join(mkdtempSync(join(tmpdir(), 'gatehouse-key-')), 'key')
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', 'a passphrase', '-f', key])
    expect(await refusal({ ...login, pass: 'wrong' })).toMatchObject({
      code: 'login_failed',
      sentence: expect.stringMatching(/does not allow root to log in with a password/),
    })
    expect(await refusal({ ...login, pass: readFileSync(key, 'utf8') })).toMatchObject({
      code: 'invalid',
      fields: { pass: expect.stringMatching(/passphrase/) },
    })
    expect(await refusal({ ...login, pass: '-----BEGIN OPENSSH PRIVATE KEY-----' })).toMatchObject({
      code: 'invalid',
      fields: { pass: expect.stringMatching(/cannot be read/) },
    })
    expect(await refusal({ ...login, port: 2 })).toMatchObject({ code: 'unreachable', sentence: expect.stringMatching(/refused/) })
    expect(await refusal({ ...login, host: 'nowhere.invalid' })).toMatchObject({
      code: 'unreachable',
      sentence: expect.stringMatching(/does not exist/),
    })
    await host.run(`sed -i 's/VERSION_ID=.*/VERSION_ID="11"/' /etc/os-release`)
    expect(await refusal(login)).toMatchObject({ code: 'invalid', sentence: expect.stringMatching(/Debian 12 and 13/) })
    expect(await traces(host)).toBe('')
  })

  test('the error for a user without sudo says how to grant it', async () => {
    await using host = await startHost({ login: { kind: 'no-sudo' }, release })
    expect(await refusal(loginTo(host))).toMatchObject({ code: 'login_failed', sentence: expect.stringMatching(/adduser \S+ sudo/) })
    expect(await traces(host)).toBe('')
  })

  test.each(['root-password', 'sudo-password', 'sudo-free'] as const)(
    '%s can log in, and removal leaves nothing of Gatehouse on the host',
    async (kind) => {
      await using admitted = await startAdmitted({ kind }, release)
      const { host, machine, reach } = admitted
      expect(await machine.summary()).toMatchObject({ ip: host.ip, hostname: 'lab', webserver: '', php: '', apache: '', mariadb: '' })
      const left = (await traces(host)).trim().split('\n')
      expect(left[0]).toMatch(/^ssh-ed25519 \S+ gatehouse:[0-9a-f]{12}$/)
      expect(left.slice(1)).toEqual(reach.user === 'root' ? [] : [`${reach.user} ALL=(ALL:ALL) NOPASSWD: ALL`])
      expect(await machine.cleanUp()).toBe(true)
      expect(await traces(host)).toBe('')
      expect((await host.run('ls /etc/sudoers.d/gatehouse /etc/gatehouse /var/lib/gatehouse')).stdout).toBe('')
      expect(await machine.cleanUp()).toBe(false)
    },
  )

  test('a password is sent by keyboard-interactive if the host accepts no other method', async () => {
    await using host = await startHost({ login: { kind: 'sudo-password' }, release })
    await host.run(
      'printf "PasswordAuthentication no\\nKbdInteractiveAuthentication yes\\n" >/etc/ssh/sshd_config.d/00-test.conf; systemctl restart ssh',
    )
    expect(await admit(loginTo(host))).toMatchObject({ ip: host.ip })
  })

  test('a host that refuses our SSH key after adding it is left unchanged', async () => {
    await using host = await startHost({ login: { kind: 'sudo-password' }, release })
    await host.run('echo "PubkeyAuthentication no" >/etc/ssh/sshd_config.d/00-test.conf; systemctl restart ssh')
    expect(await refusal(loginTo(host))).toMatchObject({ code: 'login_failed', sentence: expect.stringMatching(/PubkeyAuthentication/) })
    expect(await traces(host)).toBe('')
  })

  test('security 55: root writes nothing to a path that the user replaced with a link', async () => {
    await using host = await startHost({ login: { kind: 'sudo-password' }, release })
    const { user } = host.login
    await host.run(
      `install -d -o ${user} -m 700 /home/${user}/.ssh; ln -s /etc/cron.d/planted /home/${user}/.ssh/authorized_keys; chown -h ${user} /home/${user}/.ssh/authorized_keys`,
    )
    expect(await refusal(loginTo(host))).toMatchObject({ code: 'login_failed' })
    expect((await host.run('ls /etc/cron.d/planted')).code).not.toBe(0)
    expect((await host.run('ls /etc/sudoers.d/gatehouse')).code).not.toBe(0)
  })

  test('security 58: the password appears in no command line, environment or log of the host', async () => {
    const password = `canary ${Math.random().toString(36).slice(2)} $(x)`
    await using host = await startHost({ login: { kind: 'sudo-password', password }, release })
    const watch = host.run(
      `end=$((SECONDS + 4)); while ((SECONDS < end)); do for p in /proc/[0-9]*; do
      [[ $p == /proc/$$ ]] || tr '\\0' '\\n' <$p/cmdline 2>/dev/null; tr '\\0' '\\n' <$p/environ 2>/dev/null; done; done | sort -u`,
    )
    await admit(loginTo(host))
    const seen = (await watch).stdout
    expect(seen).toContain('--norc')
    expect(seen).not.toContain(password)
    const kept = await host.run(
      `cat /var/log/*.log /root/.bash_history /home/*/.bash_history 2>/dev/null; journalctl -q --no-pager; find /tmp /run -type f -size -64k -exec cat {} + 2>/dev/null`,
    )
    expect(kept.stdout).not.toContain(password)
  })
})
