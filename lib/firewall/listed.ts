/** A rule as a service lists it: one family at a time, in that service's own words. */
import { formatRule, type Rule, type RuleWords, readRule } from './rule'
import { isWhole } from './source'

export type ListedRule = RuleWords & { v6: string }

/** Some services fill `v6`, some mark the words of the rule, as ufw itself does. */
export const isV6 = ({ v6, port, from }: Pick<ListedRule, 'v6' | 'port' | 'from'>): boolean =>
  !['', '0', 'false', 'no'].includes(v6.trim().toLowerCase()) || /\(v6\)/i.test(`${port} ${from}`)

/** Whether the saved words show it too: by a mark, or by an IPv6 address. */
export const saysV6 = ({ port, from, protocol }: RuleWords): boolean => /v6/i.test(`${port} ${from} ${protocol}`) || from.includes(':')

/** The words without the IPv6 marks that some services append. */
export function wordsOf({ action, port, protocol, from }: RuleWords): RuleWords {
  const plain = (word: string) => word.replace(/\s*\(v6\)/gi, '')
  return { action: plain(action), port: plain(port), protocol: plain(protocol), from: plain(from) }
}

/** Null for a rule with more than these words: it can be deleted, not saved. */
export const ruleOf = (listed: RuleWords): Rule | null => readRule(wordsOf(listed))

/** The rule's meaning, whatever its family; equal for rules that say the same in different words. */
export function sayingOf(listed: RuleWords): string {
  const rule = ruleOf(listed)
  return JSON.stringify(rule ? formatRule(rule) : wordsOf(listed))
}

/** The same with its family: tells one line of the list from another. */
export const lineOf = (listed: ListedRule): string => `${isV6(listed) ? 6 : 4} ${sayingOf(listed)}`

/** The lines that saving these words creates, in either family; none if the words make no rule. */
export function linesOf(words: RuleWords): readonly string[] {
  const rule = readRule(words)
  if (rule === null) return []
  const { from } = rule
  const said = formatRule(from && isWhole(from) ? { ...rule, from: null } : rule)
  const families = from === null ? ['', 'v6'] : [from.family === 6 ? 'v6' : '']
  return families.map((v6) => lineOf({ ...said, v6 }))
}

/** The words of a rule, exactly as listed. */
export const exactWordsOf = ({ action, from, port, protocol }: RuleWords): RuleWords => ({ action, from, port, protocol })

/**
 * What to save to restore these halves of one rule. If a service lists both families, a half that stood alone is saved with its own
 * "everywhere": any would mean both.
 */
export function fieldsOf(halves: readonly ListedRule[], rules: readonly ListedRule[]): RuleWords | null {
  const [first] = halves
  const rule = first && ruleOf(first)
  if (!first || !rule) return null
  const alone = halves.length === 1 && rule.from === null && rules.some(isV6)
  return alone ? { ...wordsOf(first), from: isV6(first) ? '::/0' : '0.0.0.0/0' } : wordsOf(first)
}
