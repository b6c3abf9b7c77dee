/** Describes a rule for the audit log: "ALLOW 22/tcp from Anywhere". */
import 'server-only'
import { isV6, type ListedRule, wordsOf } from '@/lib/firewall/listed'
import type { RuleWords } from '@/lib/firewall/rule'

const isAny = (word: string): boolean => ['', 'any'].includes(word.toLowerCase())

/** Uses the words of the form or the service. For a listed rule, says whether it is the IPv6 half. */
export function describeRule(rule: RuleWords & Partial<Pick<ListedRule, 'v6'>>): string {
  const { action, port, protocol, from } = wordsOf(rule)
  const traffic = [port, protocol].filter((word) => !isAny(word)).join('/') || 'everything'
  return `${action.toUpperCase()} ${traffic} from ${from || 'any'}${isV6({ ...rule, v6: rule.v6 ?? '' }) ? ' (IPv6)' : ''}`
}
