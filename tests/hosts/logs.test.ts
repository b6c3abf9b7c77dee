/** The logs of real machines: from files of rsyslog or from the journal, across rotations, whatever stands in them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fetchLog, type LogsTarget, proveLogs, readLog } from '../service/conformance/logs'
import { register } from '../service/conformance/servers'
import { openTestService, type TestService } from '../service/support/service'
import { type Host, startHost } from './lab/lab'
import { debians } from './releases'

describe.each(debians)('$debian', ({ release }) => {
  let host: Host
  let service: TestService
  let target: LogsTarget
  beforeAll(async () => {
    host = await startHost({ login: { kind: 'root-key' }, release })
    service = await openTestService()
    const { id } = await register(service, { provider: 'ssh', host: host.ip, port: String(host.port), ...host.login }, 'logs')
    target = { ...service, id }
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await host.stop()
  })

  test('security 57: logs keep the promises that the sandbox is held to, and no name leads to another file', async () => {
    await host.run('mkdir -p /var/log/apache2 && echo secret >/etc/secret-access.log && touch "/var/log/apache2/x;reboot-access.log"')
    await proveLogs(target)
    expect((await readLog(target, 'auth')).names).not.toContain('site:x;reboot:access')
  })

  test('a login that just happened stands in the log, from the file as from the journal', async () => {
    const said = (word: string) => host.run(`logger -p auth.info -t sshd 'Accepted password for ${word} from 192.0.2.1 port 4 ssh2'`)
    await said('mira')
    await expect.poll(async () => (await readLog(target, 'auth')).lines.join('\n')).toContain('for mira from 192.0.2.1')
    await host.run('systemctl stop rsyslog; rm -f /var/log/auth.log')
    await said('otto')
    await expect.poll(async () => (await readLog(target, 'auth')).lines.join('\n')).toContain('for otto from 192.0.2.1')
    expect((await readLog(target, 'journal')).lines.join('\n')).toContain('for otto from 192.0.2.1')
  })

  test('the last 256 KiB are told from a whole line on, also right after a rotation, and what a terminal would obey is made harmless', async () => {
    await host.run(`cd /var/log/apache2 && for n in $(seq 9000); do echo "line $n of the log, padded to be of some length"; done >access.log
      printf 'half of it\\n' >shop.example.test-error.log.1
      printf 'caf\\xe9 \\x1b[31mred\\x1b[0m \\x1b]0;title\\x07 \\x00 \\xe2\\x80\\xae rtl\\r\\nnext' >shop.example.test-error.log`)
    const { lines, names } = await readLog(target, 'apache_access')
    expect(names).toContain('site:shop.example.test:error')
    expect(lines.at(-2)).toBe('line 9000 of the log, padded to be of some length')
    expect(lines[0]).toMatch(/^line \d{4} of the log, padded to be of some length$/)
    const bytes = Buffer.byteLength(lines.join('\n'))
    expect(bytes).toBeLessThanOrEqual(256 * 1024)
    expect(bytes).toBeGreaterThan(255 * 1024)
    await host.run('cd /var/log/apache2 && mv access.log access.log.1 && echo "after the rotation" >access.log')
    const rotated = await readLog(target, 'apache_access')
    expect(rotated.lines.slice(-3)).toEqual(['line 9000 of the log, padded to be of some length', 'after the rotation', ''])
    expect((await readLog(target, 'site:shop.example.test:error')).lines).toEqual([
      'half of it',
      'caf\ufffd \u001b[31mred\u001b[0m \u241b]0;title\u2407 \u2400 \ufffd rtl',
      'next',
    ])
    await host.run('head -c 400000 /dev/zero | tr "\\0" x >/var/log/apache2/access.log; rm /var/log/apache2/access.log.1')
    expect((await fetchLog(target, 'apache_access')).body.content).toBe('x'.repeat(256 * 1024))
  })
})
