/** The position of a rule among the others, and whether it can still be determined. */
import 'server-only'
import { isV6, type ListedRule, lineOf, ruleOf } from '@/lib/firewall/listed'
import { hides, mustPrecede } from '@/lib/firewall/order'
import type { FirewallRule } from './kept-rule'

/** keeps: the remaining rules are in the same order. mixed: in another order. gone: none of the rule's former neighbours remains. */
export type Place = 'keeps' | 'mixed' | 'gone'

/**
 * Compares the order of the rules `before` and `now`, in each family that `rules` belong to. Ignores rules added since then, and
 * deleted ones as long as any remains.
 */
export function comparePlace(rules: readonly ListedRule[], before: readonly ListedRule[], now: readonly ListedRule[]): Place {
  const places = [false, true].filter((v6) => rules.some((rule) => isV6(rule) === v6)).map((v6) => compareFamily(v6, rules, before, now))
  return places.find((place) => place !== 'keeps') ?? 'keeps'
}

function compareFamily(v6: boolean, rules: readonly ListedRule[], before: readonly ListedRule[], now: readonly ListedRule[]): Place {
  const linesIn = (list: readonly ListedRule[]) => list.filter((rule) => isV6(rule) === v6).map(lineOf)
  const [then, present] = [linesIn(before), linesIn(now)]
  const own = new Set(rules.map(lineOf))
  // Sets, because a service may list 20,000 rules.
  const [former, current] = [new Set(then), new Set(present)]
  const stayed = then.filter((line) => current.has(line))
  const standing = present.filter((line) => former.has(line))
  const alone = then.every((line) => own.has(line))
  if (!alone && stayed.every((line) => own.has(line))) return 'gone'
  return stayed.join('\n') === standing.join('\n') ? 'keeps' : 'mixed'
}

/**
 * The field of firewall.saveRule that returns these rules to their position in `before`, for a service that announces extensions: in each
 * family the nearest following rule that still exists, or an earlier rule, added since then, that has to come after it.
 */
export function placeRules(rules: readonly ListedRule[], before: readonly ListedRule[], now: readonly FirewallRule[]): readonly string[] {
  const ids = rules.flatMap((rule) => findFollower(rule, before, now)?.id ?? [])
  return ids.length > 0 ? ids : ['end']
}

function findFollower(rule: ListedRule, before: readonly ListedRule[], now: readonly FirewallRule[]): FirewallRule | undefined {
  const lines = before.map(lineOf)
  const place = lines.indexOf(lineOf(rule))
  const behind = new Set(place < 0 ? [] : lines.slice(place + 1))
  const former = new Set(lines)
  const family = now.filter((other) => isV6(other) === isV6(rule))
  return family.find((other) => behind.has(lineOf(other)) || (!former.has(lineOf(other)) && goesBehind(other, rule)))
}

/** For a rule with more than the four members, only whether it allows traffic is known, which is enough to stay before it. */
function goesBehind(other: ListedRule, listed: ListedRule): boolean {
  const [one, rule] = [ruleOf(other), ruleOf(listed)]
  if (rule === null) return false
  if (one !== null) return hides(one, rule) || mustPrecede(rule, one)
  return /^(deny|reject)$/.test(rule.action) && rule.from !== null && /^(allow|limit)( log(-all)?)?$/i.test(other.action)
}
