/** The summary of a server: collected by one script there, parsed by a pure function here. */

import { isIPv4 } from 'node:net'
import { serverEventKinds } from '@/lib/contract/members'
import { cleanText } from '@/lib/service/clean-text'
import type { MachineSummary, ServerEvent } from '@/lib/service/machines/machine'
import { withSentence } from '../host/sentences'
import { readScript } from '../script'
import { nightlyMark } from '../steps/nightly-backup/script'
import { parsePairs } from './pairs'

const facts = readScript('facts/summary.bash')

export const summaryScript = `backup_mark='${nightlyMark}'\n${facts}`

/** The parts' names in the server's manifest. */
const parts = ['web', 'database', 'mail', 'firewall', 'updates', 'backups'] as const

/**
 * Parses the output of summary.bash; missing facts are empty. `reachedAt` is the address of the connection, which becomes the server's
 * `ip` if it is IPv4: behind NAT, the server itself only knows its private address.
 */
export function parseSummary(printed: string, reachedAt: string): MachineSummary {
  const facts = parsePairs(printed)
  const fact = (name: string) => facts.get(name) ?? ''
  const count = (name: string) => (/^\d+$/.test(fact(name)) ? fact(name) : '')
  const apache = upstreamVersion(fact('apache'))
  return {
    hostname: fact('hostname'),
    ip: isIPv4(reachedAt) ? reachedAt : '',
    ipv6: fact('ipv6'),
    webserver: apache === '' ? '' : 'apache',
    disk_space: count('disk_space'),
    disk_free: count('disk_free'),
    disk_total: count('disk_total'),
    mem_total: count('mem_total'),
    mem_free: count('mem_free'),
    kernel: fact('kernel'),
    cpu: fact('cpu'),
    cores: count('cores'),
    uptime: formatDuration(Number(count('uptime_seconds'))),
    php: upstreamVersion(fact('php')),
    apache,
    mariadb: upstreamVersion(fact('mariadb')),
    updates: count('updates'),
    security_updates: count('security_updates'),
    timezone: fact('timezone'),
    load: /^\d{1,4}\.\d{2}$/.test(fact('load')) ? fact('load') : '',
    reboot_required: fact('reboot_required') === 'yes',
    failed_units: fact('failed_units').split(' ').filter(Boolean),
    failing_certificates: fact('failing_certificates').split(' ').filter(Boolean),
    foreign_links: fact('foreign_links').split(' ').filter(Boolean).map(linkOf),
    outdated_server: fact('outdated_server') === 'yes',
    outdated_sites: fact('outdated_sites').split(' ').filter(Boolean),
    events: eventsOf(facts),
    kept: parts.flatMap((part) => (fact(`kept_${part}`) === '' ? [] : [{ part, reason: fact(`kept_${part}`) }])),
    firewall: firewallOf(fact('firewall')),
  }
}

/** DOMAIN:PATH with bytes as %XX → DOMAIN: PATH */
function linkOf(said: string): string {
  const [domain = '', path = ''] = said.split(':')
  try {
    return `${domain}: ${cleanText(decodeURIComponent(path))}`
  } catch {
    // The name of a file may be no UTF-8.
    return `${domain}: ${path}`
  }
}

const maxEvents = 30

/** KIND SECONDS ID OUTCOME DOMAIN SENTENCE, as events.bash prints it. Lines of another form are left out. */
function eventsOf(facts: ReadonlyMap<string, string>): ServerEvent[] {
  return Array.from({ length: maxEvents }, (_, index) => facts.get(`event_${index + 1}`) ?? '').flatMap((line) => {
    const [, kind, seconds, id = '', outcome, site, detail = ''] = eventLine.exec(line) ?? []
    const known = serverEventKinds.find((each) => each === kind)
    if (!known) return []
    const at = new Date(Number(seconds) * 1000).toISOString()
    return [
      {
        id,
        kind: known,
        at,
        outcome: outcome === 'done' ? 'done' : 'failed',
        detail: withSentence(detail.trim()),
        site: site === '-' ? '' : (site ?? ''),
      },
    ]
  })
}

const eventLine = /^([a-z]+) (\d{9,11}) ([\w-]{1,100}) (done|failed) ([\w.-]{1,253})( .*)?$/

const firewallOf = (said: string): MachineSummary['firewall'] => (said === 'on' || said === 'off' ? said : '')

/** 1:10.11.11-0+deb12u1 → 10.11.11 */
export function upstreamVersion(version: string): string {
  return /^(?:\d+:)?(\d+(?:\.\d+)*)/.exec(version)?.[1] ?? ''
}

/** The two largest units that are not zero: 90061 → "1 day, 1 hour". */
export function formatDuration(seconds: number): string {
  const units = [
    ['day', 86_400],
    ['hour', 3_600],
    ['minute', 60],
  ] as const
  let left = seconds
  const parts = units.flatMap(([unit, length]) => {
    const amount = Math.floor(left / length)
    left -= amount * length
    return amount === 0 ? [] : [`${amount} ${unit}${amount === 1 ? '' : 's'}`]
  })
  return parts.slice(0, 2).join(', ') || 'less than a minute'
}
