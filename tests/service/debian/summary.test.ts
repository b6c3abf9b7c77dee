import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parsePairs } from '@/lib/service/machines/debian/facts/pairs'
import { formatDuration, parseSummary, upstreamVersion } from '@/lib/service/machines/debian/facts/summary'

/** As printed by an installed Debian 12. */
const installed = `hostname\tlab
kernel\t6.1.0-41-amd64
cores\t2
cpu\tAMD EPYC
uptime_seconds\t93784
ip\t10.0.0.7
ipv6\t2001:db8::7
disk_total\t4294967296
disk_space\t761335808
disk_free\t3533631488
mem_total\t25276514304
mem_free\t23517675520
timezone\tEtc/UTC
reboot_required\tyes
failed_units\tpostfix@-.service cron.service 
foreign_links\tone.test:media one.test:a%20b%0A two.test:%FF 
event_1\tbackup 1795228200 backup-1 failed - No room.
event_2\trenewal 1795231800 renewal-a-2 done one.example 
event_3\tbirthday 1795231800 birthday-3 done - Many.
outdated_server\tyes
outdated_sites\tone.example staging.one.example 
kept_mail\tExim is the mail server here; Postfix is not installed.
firewall\toff
apache\t2.4.71-1~deb12u1
mariadb\t1:10.11.19-0+deb12u1
php\t8.2.36-1~deb12u1
updates\t12
security_updates\t3
load\t0.42
`

test('a summary has every fact, sizes in bytes, and the address we connected to', () => {
  expect(parseSummary(installed, '198.51.100.7')).toEqual({
    hostname: 'lab',
    ip: '198.51.100.7',
    ipv6: '2001:db8::7',
    webserver: 'apache',
    disk_space: '761335808',
    disk_free: '3533631488',
    disk_total: '4294967296',
    mem_total: '25276514304',
    mem_free: '23517675520',
    kernel: '6.1.0-41-amd64',
    cpu: 'AMD EPYC',
    cores: '2',
    uptime: '1 day, 2 hours',
    php: '8.2.36',
    apache: '2.4.71',
    mariadb: '10.11.19',
    updates: '12',
    security_updates: '3',
    timezone: 'Etc/UTC',
    load: '0.42',
    reboot_required: true,
    failed_units: ['postfix@-.service', 'cron.service'],
    failing_certificates: [],
    foreign_links: ['one.test: media', 'one.test: a b', 'two.test: %FF'],
    outdated_server: true,
    outdated_sites: ['one.example', 'staging.one.example'],
    events: [
      { id: 'backup-1', kind: 'backup', at: '2026-11-21T02:30:00.000Z', outcome: 'failed', detail: 'No room.', site: '' },
      { id: 'renewal-a-2', kind: 'renewal', at: '2026-11-21T03:30:00.000Z', outcome: 'done', detail: '', site: 'one.example' },
    ],
    kept: [{ part: 'mail', reason: 'Exim is the mail server here; Postfix is not installed.' }],
    firewall: 'off',
  })
})

test('uninstalled or unknown facts are empty, and a host reached by IPv6 has no ip', () => {
  expect(parseSummary('hostname\tlab\n', '2001:db8::7')).toMatchObject({
    ip: '',
    webserver: '',
    php: '',
    apache: '',
    mariadb: '',
    disk_total: '',
    failed_units: [],
    kept: [],
    firewall: '',
  })
})

test('no hostile host makes a summary fail, or adds a control character or an invalid size to it (55)', () => {
  const line = fc.tuple(fc.constantFrom(...parsePairs(installed).keys()), fc.string({ unit: 'binary', maxLength: 900 }))
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      const summary = parseSummary(lines.map(([name, value]) => `${name}\t${value}\n`).join(''), '')
      for (const value of Object.values(summary)
        .flat()
        .flatMap((one) => (typeof one === 'object' ? Object.values(one) : [one]))) {
        expect(String(value)).not.toMatch(/\p{C}/u)
        expect(String(value).length).toBeLessThanOrEqual(400)
      }
      expect(summary.disk_total).toMatch(/^\d*$/)
    }),
  )
})

test.each([
  [0, 'less than a minute'],
  [60, '1 minute'],
  [7_260, '2 hours, 1 minute'],
  [86_400, '1 day'],
  [90_061, '1 day, 1 hour'],
])('%d seconds are formatted as %s', (seconds, said) => {
  expect(formatDuration(seconds)).toBe(said)
})

test.each([
  ['1:10.11.19-0+deb12u1', '10.11.19'],
  ['2.4.58-1ubuntu8.4', '2.4.58'],
  ['8.3.6-0ubuntu0.24.04.1', '8.3.6'],
  ['', ''],
])('the package version %s is parsed as release %s', (version, release) => {
  expect(upstreamVersion(version)).toBe(release)
})
