import type { Answer } from '@/lib/contract/operation'
import type { firewall } from '@/lib/contract/operations/firewall'
import { isV6, sayingOf, wordsOf } from '@/lib/firewall/listed'
import { findIdle } from '@/lib/firewall/order'
import { holdsPorts } from '@/lib/firewall/ports'
import { formatRule, type Rule, type RuleWords, readRule } from '@/lib/firewall/rule'

export type FirewallAnswer = Answer<typeof firewall.get>
export type FirewallRule = FirewallAnswer['rules'][number]

/**
 * A rule as users think of it: for IPv4 and IPv6 at once if both have it. rules: one or two, IPv4 first. rule: null if the interface
 * cannot express it. by: the row that takes effect instead of this one.
 */
export type RuleRow = {
  id: string
  rules: readonly FirewallRule[]
  rule: Rule | null
  words: RuleWords
  families: 'both' | 'v4' | 'v6'
  idle: { kind: 'duplicate' | 'shadowed'; by: RuleRow } | null
}

/** In the order of the rules, with the two halves of a rule together. */
export function rowsOf(rules: readonly FirewallRule[]): RuleRow[] {
  const left = rules.filter(isV6)
  const rows: RuleRow[] = []
  for (const rule of rules) {
    if (isV6(rule) && !left.includes(rule)) continue
    const text = sayingOf(rule)
    const half = isV6(rule) ? undefined : left.find((candidate) => sayingOf(candidate) === text)
    for (const taken of isV6(rule) ? [rule] : half ? [half] : []) left.splice(left.indexOf(taken), 1)
    const words = wordsOf(rule)
    const plain = readRule(words)
    rows.push({
      id: `${isV6(rule) ? 6 : 4} ${text} ${rows.filter(({ id }) => id.includes(text)).length}`,
      rules: half ? [rule, half] : [rule],
      rule: plain,
      words: plain ? formatRule(plain) : words,
      families: half ? 'both' : isV6(rule) ? 'v6' : 'v4',
      idle: null,
    })
  }
  markIdle(rows, rules)
  return rows
}

/** A row has no effect if none of its halves does. */
function markIdle(rows: readonly RuleRow[], rules: readonly FirewallRule[]): void {
  const found = new Map<FirewallRule, { kind: 'duplicate' | 'shadowed'; by: FirewallRule }>()
  for (const family of [rules.filter((rule) => !isV6(rule)), rules.filter(isV6)]) {
    for (const [place, idle] of findIdle(family.map((rule) => readRule(wordsOf(rule)))).entries()) {
      const [rule, by] = [family[place], idle ? family[idle.by] : undefined]
      if (rule && idle && by) found.set(rule, { kind: idle.kind, by })
    }
  }
  for (const row of rows) {
    const [first] = row.rules
    const idle = first && row.rules.every((rule) => found.has(rule)) ? found.get(first) : undefined
    const by = idle && rows.find((candidate) => candidate.rules.includes(idle.by))
    if (idle && by && by !== row) row.idle = { kind: idle.kind, by }
  }
}

/** The row equal to these fields, in the newest list. */
export function findRow(rows: readonly RuleRow[], fields: RuleWords): RuleRow | undefined {
  const rule = readRule(fields)
  const wanted = rule && JSON.stringify(formatRule(rule))
  return rows.find((row) => row.rule !== null && JSON.stringify(formatRule(row.rule)) === wanted)
}

/** Whether any rule allows that port over TCP, from anywhere. */
export function allowsSsh(rows: readonly RuleRow[], port: number): boolean {
  const wanted = [{ first: port, last: port }]
  return rows.some(({ rule }) => {
    if (rule === null || rule.protocol === 'udp') return false
    return (rule.action === 'allow' || rule.action === 'limit') && holdsPorts(rule.ports, wanted)
  })
}
