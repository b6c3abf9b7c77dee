/** The logs of real hosts: from files of rsyslog or from the journal, across rotations, with hostile contents. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fetchLog, type LogsTarget, proveLogs, readLog } from '../service/conformance/logs'
import { register } from '../service/conformance/servers'
import { openTestService, type TestService } from '../service/support/service'
import { openChance } from '../support/seeds'
import { type Host, startHost } from './lab/lab'
import { someDebians } from './releases'

describe.each(someDebians(openChance()))('$debian', ({ release }) => {
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

  test('security 57: logs on a host pass the same conformance tests as the sandbox, and no name reads another file', async () => {
    await host.run('mkdir -p /var/log/apache2 && echo secret >/etc/secret-access.log && touch "/var/log/apache2/x;reboot-access.log"')
    await proveLogs(target)
    expect((await readLog(target, 'auth')).names).not.toContain('site:x;reboot:access')
  })

  test('a recent login is in the log, whether read from the file or the journal', async () => {
    const said = (word: string) => host.run(`logger -p auth.info -t sshd 'Accepted password for ${word} from 192.0.2.1 port 4 ssh2'`)
    await said('mira')
    await expect.poll(async () => (await readLog(target, 'auth')).lines.join('\n')).toContain('for mira from 192.0.2.1')
    await host.run('systemctl stop rsyslog; rm -f /var/log/auth.log')
    await said('otto')
    await expect.poll(async () => (await readLog(target, 'auth')).lines.join('\n')).toContain('for otto from 192.0.2.1')
    expect((await readLog(target, 'journal')).lines.join('\n')).toContain('for otto from 192.0.2.1')
  })

  test('the last 256 KiB begin with a whole line, also right after a rotation, and control characters are made safe', async () => {
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

  test('security 57: no link leads out of the log folder; a link within it is followed', async () => {
    await host.run(`mkdir -p /var/log/old /srv/logs && echo canary-secret | tee /srv/logs/error.log >/etc/canary
      cd /var/log/apache2 && rm -f error.log access.log
      ln -s /etc/canary error.log && ln -s ../old/access.log access.log && echo 'kept here' >../old/access.log
      ln -s /srv/logs folder && ln -s folder/error.log shop.test-error.log && ln -s "$PWD/../../../etc/canary" shop.test-access.log
      ln /etc/canary blog.test-error.log && echo now >blog.test-access.log && ln -s /etc/canary blog.test-access.log.1
      ln -s ../../lib/gatehouse wiki.test-access.log && ln -s /etc/canary ../fail2ban.log`)
    expect((await readLog(target, 'apache_access')).lines).toEqual(['kept here', ''])
    const refused = ['apache_error', 'site:shop.test:error', 'site:shop.test:access', 'site:blog.test:error', 'fail2ban']
    const leads = ['/etc/canary', '/srv/logs/error.log', '/etc/canary', 'more than one name', '/etc/canary']
    for (const [place, log] of refused.entries()) {
      const { status, body } = await fetchLog(target, log)
      const why = expect.stringContaining(String(leads[place]))
      expect.soft([log, status, body]).toEqual([log, 422, expect.objectContaining({ code: 'invalid', fields: { log: why } })])
      expect.soft(JSON.stringify(body)).not.toContain('canary-secret')
    }
    // The same applies to the part before the last rotation; the log itself is read.
    expect((await readLog(target, 'site:blog.test:access')).lines).toEqual(['now', ''])
    expect((await readLog(target, 'apache_access')).names).toEqual(expect.arrayContaining(refused))
  })

  test('security 57: a log that becomes a link while it is read shows no outside file', async () => {
    const swap = `cd /var/log/apache2 && end=$((SECONDS + 6)); echo inside >inside.log
      while ((SECONDS < end)); do ln -sf inside.log .new; mv -T .new error.log; ln -sf /etc/canary .new; mv -T .new error.log; done`
    const swapping = host.run(swap)
    const seen: string[] = []
    for (let round = 0; round < 25; round++) seen.push(JSON.stringify((await fetchLog(target, 'apache_error')).body))
    await swapping
    expect(seen.filter((text) => text.includes('canary-secret'))).toEqual([])
    expect(seen.some((text) => text.includes('inside'))).toBe(true)
  })
})
