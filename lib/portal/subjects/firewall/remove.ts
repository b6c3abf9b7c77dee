/** Deletes a firewall rule in one or both families, but never any other rule than the one the user saw. */
import 'server-only'
import { firewall } from '@/lib/contract/operations/firewall'
import { type Outcome, type Problem, problem } from '@/lib/contract/problem'
import { ruleOf } from '@/lib/firewall/listed'
import { findLastChange } from '@/lib/portal/audit/last-change'
import type { Actor } from '@/lib/portal/identity/actor'
import type { Connection } from '@/prisma/generated/portal/client'
import { runOperation } from '../spine'
import { type Undoable, undoableChange } from '../undoable/change'
import { type Kept, kept } from '../undoable/kind'
import { onServer } from '../undoable/subject'
import { describeRule } from './describe-rule'
import { type FirewallRule, keptOf } from './kept-rule'
import { undoRuleDelete } from './undo-delete'

/** The server, and the id under which the steps are logged. */
export type Change = { serverId: string; requestId: string }

/** The members that define a rule. A service's `id` may be just a position, which is invalid once other rules are added or removed. */
const members = ['action', 'from', 'port', 'protocol', 'v6'] as const

const isSame = (one: FirewallRule, other: FirewallRule): boolean => members.every((name) => one[name] === other[name])

/** One rule, or its IPv4 and IPv6 halves in this order. */
export type SeenRules = readonly [FirewallRule, FirewallRule?]

/** Deletes a rule, or its two halves. The undo stores rule and position. */
export async function removeRules(actor: Actor, change: Change, seen: SeenRules): Promise<Outcome<Undoable>> {
  const [first, second] = seen
  const removed = await undoableChange(actor, onServer(change), {
    operation: firewall.deleteRule,
    read: () => runOperation(actor, firewall.get, { serverId: change.serverId }),
    inverse: ({ rules }, { connection }) => inverseOf(connection, second ? [first, second] : [first], rules),
    run: () => removeRule(actor, change, first),
  })
  if (!removed.ok || !second) return removed
  const half = await removeRule(actor, change, second)
  // The stored undo stays, because it can restore the half that was deleted.
  return half.ok ? removed : { ok: false, problem: formatHalf(half.problem) }
}

/**
 * A service that announces extensions may list rules with more than the four members. Rules of other services are saved with exactly
 * their listed words.
 */
function inverseOf(
  { extensions }: Pick<Connection, 'extensions'>,
  seen: readonly FirewallRule[],
  rules: readonly FirewallRule[],
): Kept | null {
  if (extensions && seen.some((rule) => ruleOf(rule) === null)) return null
  return kept(undoRuleDelete, { rules: seen.map(keptOf), before: rules.map(keptOf) })
}

/** Reads the list before each deletion: if a service's `id` is a position, another rule may be there by now. */
async function removeRule(actor: Actor, { serverId, ...options }: Change, seen: FirewallRule): Promise<Outcome<object>> {
  const listed = await runOperation(actor, firewall.get, { serverId })
  if (!listed.ok) return listed
  const same = listed.data.rules.filter((rule) => isSame(rule, seen))
  const rule = same.find(({ id }) => id === seen.id) ?? same[0]
  if (!rule) return { ok: false, problem: await formatGone(actor, serverId, seen) }
  return runOperation(actor, firewall.deleteRule, { serverId }, { id: rule.id }, { ...options, about: describeRule(rule) })
}

/** Says who deleted the rule, as far as the audit log knows. A rule is never changed, only deleted and added. */
async function formatGone(actor: Actor, serverId: string, seen: FirewallRule): Promise<Problem> {
  const change = await findLastChange(actor, { serverId, action: firewall.deleteRule.id, about: describeRule(seen) })
  const sentence = change ? `${change.who} deleted this rule on ${change.at}.` : 'This rule was changed or deleted in the meantime.'
  return problem('changed_meanwhile', { sentence })
}

const formatHalf = ({ code, sentence }: Problem): Problem =>
  problem(code, { sentence: `The rule was deleted for IPv4, but may still exist for IPv6. ${sentence}` })
