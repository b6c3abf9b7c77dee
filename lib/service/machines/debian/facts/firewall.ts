/** The firewall of a real machine, as UFW keeps it. */
import type { UfwState } from '@/lib/service/machines/firewall'
import { readScript } from '../script'

export const firewallScript = readScript(import.meta.url, 'read-firewall.bash', 'firewall.bash')

/** What firewall.bash ends with where there is no UFW. */
export const noUfw = 69

/** Lines of a name, a tab and a value; what is longer than a word is base64. */
export function parseUfwState(printed: string): UfwState {
  const values = new Map(printed.split('\n').map((line) => [line.split('\t')[0] ?? '', line.split('\t')[1] ?? '']))
  const text = (name: string) => Buffer.from(values.get(name) ?? '', 'base64').toString('utf8')
  return {
    active: values.get('active') === 'yes',
    hasIpv6: values.get('ipv6') === 'yes',
    rules: text('rules'),
    rules6: text('rules6'),
    removed: text('removed'),
  }
}
