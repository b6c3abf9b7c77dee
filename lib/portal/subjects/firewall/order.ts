/** Where a rule stood among the others, and whether that place can still be told. */
import 'server-only'
import { isV6, type ListedRule, lineOf } from '@/lib/firewall/listed'

/** keeps: those that are left stand as they stood. mixed: in another order. gone: none of those it stood among is left. */
export type Place = 'keeps' | 'mixed' | 'gone'

/**
 * Compares how the rules stood `before` with how they stand `now`, in each family that `rules` are of. Rules that came since
 * say nothing about a place; nor do those that went, while any is left.
 */
export function comparePlace(rules: readonly ListedRule[], before: readonly ListedRule[], now: readonly ListedRule[]): Place {
  const places = [false, true].filter((v6) => rules.some((rule) => isV6(rule) === v6)).map((v6) => compareFamily(v6, rules, before, now))
  return places.find((place) => place !== 'keeps') ?? 'keeps'
}

function compareFamily(v6: boolean, rules: readonly ListedRule[], before: readonly ListedRule[], now: readonly ListedRule[]): Place {
  const linesIn = (list: readonly ListedRule[]) => list.filter((rule) => isV6(rule) === v6).map(lineOf)
  const [then, present] = [linesIn(before), linesIn(now)]
  const own = new Set(rules.map(lineOf))
  const stayed = then.filter((line) => present.includes(line))
  const standing = present.filter((line) => then.includes(line))
  const alone = then.every((line) => own.has(line))
  if (!alone && stayed.every((line) => own.has(line))) return 'gone'
  return stayed.join('\n') === standing.join('\n') ? 'keeps' : 'mixed'
}
