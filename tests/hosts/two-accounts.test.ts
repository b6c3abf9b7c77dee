/** One host that several accounts manage, of one service and of two: deleting the server removes only that account's key. */
import { expect, test } from 'vitest'
import { register } from '../service/conformance/servers'
import { get } from '../service/support/caller'
import { openTestService } from '../service/support/service'
import { startHost } from './lab/lab'

/** The files of an install, including what its run and the summary need. */
const furnish = `install -d /etc/gatehouse /var/lib/gatehouse/install /var/backups/gatehouse
  printf '#!/bin/sh\\n' >/usr/local/sbin/gatehouse-backup
  printf '[Service]\\nExecStart=/bin/true\\n' >/etc/systemd/system/gatehouse-backup.service
  printf '[Timer]\\nOnCalendar=daily\\n[Install]\\nWantedBy=timers.target\\n' >/etc/systemd/system/gatehouse-backup.timer
  { echo '# gatehouse 1'; sha256sum /usr/local/sbin/gatehouse-backup /etc/systemd/system/gatehouse-backup.*; } >/etc/gatehouse/manifest
  echo line >/var/lib/gatehouse/install/events
  systemctl daemon-reload && systemctl enable -q --now gatehouse-backup.timer`

const ours = `ls -d /etc/gatehouse/manifest /var/lib/gatehouse/install/events /usr/local/sbin/gatehouse-backup /etc/systemd/system/gatehouse*
  systemctl is-active gatehouse-backup.timer`

const keys = `grep -hoE 'gatehouse:' /root/.ssh/authorized_keys /home/*/.ssh/authorized_keys | wc -l`

test('an account that deletes its server keeps files that other accounts need; the last account leaves nothing', async () => {
  await using host = await startHost({ login: { kind: 'sudo-free', user: 'robin' }, release: 'trixie' })
  await using one = await openTestService()
  await using two = await openTestService()
  const count = async () => (await host.run(keys)).stdout.trim()
  const tell = async () => (await host.run(ours)).stdout
  // root gets the same private key, so that the accounts log in as two users.
  await host.run('install -d -m 700 /root/.ssh && cp /home/robin/.ssh/authorized_keys /root/.ssh/')
  const login = { provider: 'ssh', host: host.ip, port: String(host.port), pass: host.login.pass }
  const neighbour = { ...one, key: await one.createKey('neighbour') }
  const navItems = [
    { target: one, user: 'robin' },
    { target: neighbour, user: 'robin' },
    { target: two, user: 'robin' },
    { target: two, key: await two.createKey('by root'), user: 'root' },
  ].map(({ target, key, user }) => ({ target: { ...target, ...(key && { key }) }, user }))
  const servers = []
  for (const { target, user } of navItems) {
    const { id } = await register(target, { ...login, user }, 'shared')
    servers.push({ target, id })
  }
  expect(await host.run(furnish)).toMatchObject({ code: 0 })
  const installed = await tell()
  expect(installed.split('\n')).toEqual(expect.arrayContaining(['/etc/gatehouse/manifest', '/usr/local/sbin/gatehouse-backup', 'active']))

  for (const [left, { target, id }] of [...servers.entries()].slice(0, 3)) {
    expect(await get(target, `/servers/${id}/delete`)).toMatchObject({ status: 200, body: { cleaned: true } })
    expect(await tell()).toBe(installed)
    expect(await count()).toBe(String(3 - left))
    for (const other of servers.slice(left + 1))
      expect(await get(other.target, `/servers/${other.id}/summary`)).toMatchObject({ status: 200 })
    expect((await host.run('cat /etc/sudoers.d/gatehouse')).stdout).toBe(left < 2 ? 'robin ALL=(ALL:ALL) NOPASSWD: ALL\n' : '')
  }
  const last = servers[3]
  expect(last && (await get(last.target, `/servers/${last.id}/delete`))).toMatchObject({ status: 200, body: { cleaned: true } })
  expect(await tell()).toBe('inactive\n')
  expect(await count()).toBe('0')
})

test('if two accounts delete the server at the same moment, one of them is the last', async () => {
  await using host = await startHost({ login: { kind: 'root-key' }, release: 'bookworm' })
  await using one = await openTestService()
  const neighbour = { ...one, key: await one.createKey('neighbour') }
  const login = { provider: 'ssh', host: host.ip, port: String(host.port), ...host.login }
  const servers = []
  for (const target of [one, neighbour]) servers.push({ target, id: (await register(target, login, 'shared')).id })
  expect(await host.run(furnish)).toMatchObject({ code: 0 })
  const said = await Promise.all(servers.map(({ target, id }) => get(target, `/servers/${id}/delete`)))
  expect(said).toMatchObject([{ body: { cleaned: true } }, { body: { cleaned: true } }])
  expect((await host.run(ours)).stdout).toBe('inactive\n')
  expect((await host.run(keys)).stdout.trim()).toBe('0')
})
