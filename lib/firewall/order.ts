/** What the order of rules means: the first one that fits decides, so that later ones may never be asked. */
import { holdsPorts, sharePorts } from './ports'
import type { Rule } from './rule'
import { holds, parseSource } from './source'

/** Whether whatever fits `inner` fits `outer` as well. */
export function covers(outer: Rule, inner: Rule): boolean {
  const protocol = outer.protocol === 'any' || outer.protocol === inner.protocol
  return protocol && holdsPorts(outer.ports, inner.ports) && holds(outer.from, inner.from)
}

/** Whether an earlier rule leaves a later one nothing to decide, and decides otherwise. */
export const hides = (earlier: Rule, later: Rule): boolean => earlier.action !== later.action && covers(earlier, later)

/** limit lets the rest through to the rules behind it only when it is exceeded, and then it refuses: it decides as well. */
const letsIn = ({ action }: Rule): boolean => action === 'allow' || action === 'limit'

/**
 * Whether a rule that refuses a source has to stand before one that lets in: without that, some of the source's traffic would
 * still come in. A rule that lets in a smaller source is an exception and stays in front.
 */
export function mustPrecede(refusing: Rule, letting: Rule): boolean {
  if (letsIn(refusing) || !letsIn(letting) || refusing.from === null) return false
  const protocol = refusing.protocol === 'any' || letting.protocol === 'any' || refusing.protocol === letting.protocol
  return protocol && sharePorts(refusing.ports, letting.ports) && holds(letting.from, refusing.from)
}

/** duplicate: an earlier rule does the same. shadowed: an earlier one decides otherwise, and this one is never asked. */
export type Idle = { kind: 'duplicate' | 'shadowed'; by: number }

/** Which rules of a list in its order do nothing, and because of which; null for those that do, and for what is no plain rule. */
export function findIdle(rules: readonly (Rule | null)[]): (Idle | null)[] {
  return rules.map((rule, place) => {
    if (rule === null) return null
    const by = rules.findIndex((earlier, index) => index < place && earlier !== null && covers(earlier, rule))
    const earlier = rules[by]
    return earlier ? { kind: earlier.action === rule.action ? 'duplicate' : 'shadowed', by } : null
  })
}

export type Visit = { protocol: 'tcp' | 'udp'; port: number; address: string }

/** Whether somebody from there is let in, by an active firewall that refuses what no rule names. */
export function isLetIn(rules: readonly (Rule | null)[], { protocol, port, address }: Visit): boolean {
  const from = parseSource(address) ?? null
  const visit: Rule = { action: 'allow', protocol, ports: [{ first: port, last: port }], from }
  const first = rules.find((rule) => rule !== null && covers(rule, visit))
  return first ? letsIn(first) : false
}
