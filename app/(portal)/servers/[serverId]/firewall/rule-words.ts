import type { Ports } from '@/lib/firewall/ports'
import type { Action, Rule, RuleWords } from '@/lib/firewall/rule'

/** What usually listens on each port, over TCP unless stated otherwise. */
const services: Readonly<Record<string, string>> = {
  '21': 'FTP',
  '22': 'SSH',
  '25': 'SMTP',
  '53': 'DNS',
  '80': 'HTTP',
  '110': 'POP3',
  '143': 'IMAP',
  '443': 'HTTPS',
  '465': 'SMTPS',
  '587': 'mail submission',
  '993': 'IMAPS',
  '995': 'POP3S',
  '3306': 'MariaDB',
  '5432': 'PostgreSQL',
  '6379': 'Redis',
}

const verbs: Readonly<Record<Action, string>> = { allow: 'Allow', limit: 'Rate-limit', deny: 'Drop', reject: 'Refuse' }

const join = (parts: readonly string[]): string =>
  parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`

/** A rule as a sentence without its full stop; its own words if the interface cannot express it. */
export function formatRuleSentence(rule: Rule | null, words: RuleWords): string {
  if (rule === null) return `${words.action} ${[words.port, words.protocol].filter(Boolean).join('/')} from ${words.from || 'any'}`
  const { action, from } = rule

  return `${verbs[action]} ${formatTraffic(rule)} from ${from?.text ?? 'anywhere'}`
}

function formatTraffic({ ports, protocol }: Rule): string {
  if (ports === null) return protocol === 'any' ? 'all traffic' : `all traffic over ${protocol.toUpperCase()}`
  const known = ports.map(({ first, last }) => (first === last && protocol !== 'udp' ? services[String(first)] : undefined))
  if (known.every((name) => name !== undefined)) return join(known)
  const over = protocol === 'any' ? '' : `${protocol.toUpperCase()} `
  return `${over}${isOne(ports) ? 'port' : 'ports'} ${join(ports.map(({ first, last }) => (first === last ? `${first}` : `${first} to ${last}`)))}`
}

const isOne = (ports: Exclude<Ports, null>): boolean => ports.length === 1 && ports[0]?.first === ports[0]?.last
