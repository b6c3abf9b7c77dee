/** A rule as a service lists it: for one family, in that service's notation. */
import { formatRule, type Rule, type RuleWords, readRule } from './rule'
import { isWhole } from './source'

export type ListedRule = RuleWords & { v6: string }

/** Some services set `v6`, others mark the words of the rule, as ufw itself does. */
export const isV6 = ({ v6, port, from }: Pick<ListedRule, 'v6' | 'port' | 'from'>): boolean =>
  !['', '0', 'false', 'no'].includes(v6.trim().toLowerCase()) || /\(v6\)/i.test(`${port} ${from}`)

/** Whether the saved words also show the family: by a mark, or by an IPv6 address. */
export const saysV6 = ({ port, from, protocol }: RuleWords): boolean => /v6/i.test(`${port} ${from} ${protocol}`) || from.includes(':')

/** The words without the IPv6 marks that some services add. */
export function wordsOf({ action, port, protocol, from }: RuleWords): RuleWords {
  const plain = (word: string) => word.replace(/\s*\(v6\)/gi, '')
  return { action: plain(action), port: plain(port), protocol: plain(protocol), from: plain(from) }
}

/** Null for a rule with further words, which can be deleted but not saved. */
export const ruleOf = (listed: RuleWords): Rule | null => readRule(wordsOf(listed))

/** The rule's meaning without its family; equal for rules that have the same meaning in different words. */
export function sayingOf(listed: RuleWords): string {
  const rule = ruleOf(listed)
  return JSON.stringify(rule ? formatRule(rule) : wordsOf(listed))
}

/** The same with its family: identifies a line of the list. */
export const lineOf = (listed: ListedRule): string => `${isV6(listed) ? 6 : 4} ${sayingOf(listed)}`

/** The lines that saving these words creates, in both families; none if the words are not a valid rule. */
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
 * The words to save to restore these halves of a rule. If a service lists both families, a half without the other is saved with its
 * family's own "everywhere", because `any` would mean both.
 */
export function fieldsOf(halves: readonly ListedRule[], rules: readonly ListedRule[]): RuleWords | null {
  const [first] = halves
  const rule = first && ruleOf(first)
  if (!first || !rule) return null
  const alone = halves.length === 1 && rule.from === null && rules.some(isV6)
  return alone ? { ...wordsOf(first), from: isV6(first) ? '::/0' : '0.0.0.0/0' } : wordsOf(first)
}
