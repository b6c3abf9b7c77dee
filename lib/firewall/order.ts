/** The effects of the order of rules: the first match wins, so later ones may have no effect. */
import { holdsPorts, sharePorts } from './ports'
import type { Rule } from './rule'
import { holds, parseSource } from './source'

/** Whether every packet that matches `inner` also matches `outer`. */
export function covers(outer: Rule, inner: Rule): boolean {
  const protocol = outer.protocol === 'any' || outer.protocol === inner.protocol
  return protocol && holdsPorts(outer.ports, inner.ports) && holds(outer.from, inner.from)
}

/** Whether an earlier rule makes a later one ineffective because it decides differently. */
export const hides = (earlier: Rule, later: Rule): boolean => earlier.action !== later.action && covers(earlier, later)

/** limit passes traffic on to later rules only above its rate, and then refuses it, so it decides too. */
const letsIn = ({ action }: Rule): boolean => action === 'allow' || action === 'limit'

/**
 * Whether a rule that refuses a source must come before one that allows it: otherwise some of the source's traffic would still be
 * allowed. A rule that allows a smaller source is an exception and stays in front.
 */
export function mustPrecede(refusing: Rule, letting: Rule): boolean {
  if (letsIn(refusing) || !letsIn(letting) || refusing.from === null) return false
  const protocol = refusing.protocol === 'any' || letting.protocol === 'any' || refusing.protocol === letting.protocol
  return protocol && sharePorts(refusing.ports, letting.ports) && holds(letting.from, refusing.from)
}

/** duplicate: an earlier rule has the same effect. shadowed: an earlier rule decides differently, so this one has no effect. */
export type Idle = { kind: 'duplicate' | 'shadowed'; by: number }

/**
 * The rules of a list, in its order, that have no effect, each with the rule that causes it; null for effective rules and for rules that
 * are not plain.
 */
export function findIdle(rules: readonly (Rule | null)[]): (Idle | null)[] {
  return rules.map((rule, place) => {
    if (rule === null) return null
    const by = rules.findIndex((earlier, index) => index < place && earlier !== null && covers(earlier, rule))
    const earlier = rules[by]
    return earlier ? { kind: earlier.action === rule.action ? 'duplicate' : 'shadowed', by } : null
  })
}

export type Visit = { protocol: 'tcp' | 'udp'; port: number; address: string }

/** Whether a firewall that refuses by default allows this traffic. */
export function isLetIn(rules: readonly (Rule | null)[], { protocol, port, address }: Visit): boolean {
  const from = parseSource(address) ?? null
  const visit: Rule = { action: 'allow', protocol, ports: [{ first: port, last: port }], from }
  const first = rules.find((rule) => rule !== null && covers(rule, visit))
  return first ? letsIn(first) : false
}
