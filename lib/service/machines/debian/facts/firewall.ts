/** The firewall of a real server, as UFW stores it. */
import type { UfwState } from '@/lib/service/machines/firewall'
import { readScript } from '../script'

export const firewallScript = readScript('facts/firewall.bash')

/** Exit code of firewall.bash if UFW is not installed. */
export const noUfw = 69

const files = { rules: '/etc/ufw/user.rules:', rules6: '/etc/ufw/user6.rules:' } as const

/** Lines of a name, a tab and a value, together with UFW's own lines, each prefixed with the name of its file. */
export function parseUfwState(printed: string): UfwState {
  const lines = printed.split('\n')
  const linesOf = (start: string) => lines.filter((line) => line.startsWith(start)).map((line) => line.slice(start.length))
  const value = (name: string) => linesOf(`${name}\t`)[0] ?? ''
  return {
    active: value('active') === 'yes',
    hasIpv6: value('ipv6') === 'yes',
    rules: linesOf(files.rules).join('\n'),
    rules6: linesOf(files.rules6).join('\n'),
    removed: value('removed'),
  }
}

/** The rules as read_rules prints them on the server, without the last line feed. */
export function renderRules({ rules, rules6 }: Pick<UfwState, 'rules' | 'rules6'>): string {
  const linesOf = (text: string, start: string) => (text === '' ? [] : text.split('\n').map((line) => start + line))
  return [...linesOf(rules, files.rules), ...linesOf(rules6, files.rules6)].join('\n')
}
