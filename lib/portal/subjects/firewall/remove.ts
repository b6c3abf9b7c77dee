/** Deletes a firewall rule in one or both families, but never any other rule than the one the user saw. */
import 'server-only'
import { firewall } from '@/lib/contract/operations/firewall'
import { type Outcome, type Problem, problem } from '@/lib/contract/problem'
import { ruleOf } from '@/lib/firewall/listed'
import { decide } from '@/lib/portal/access/decide'
import { findLastChange } from '@/lib/portal/audit/last-change'
import type { Actor } from '@/lib/portal/identity/actor'
import type { Connection } from '@/prisma/generated/portal/client'
import { runOperation } from '../spine'
import { keepUndo, refuseChange, type Undoable } from '../undoable/kept'
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

/** Deletes a rule, or its two halves. The undo stores rule and position. */
export async function removeRules(actor: Actor, change: Change, seen: readonly FirewallRule[]): Promise<Outcome<Undoable>> {
  const { serverId } = change
  const may = await decide(actor, firewall.deleteRule, { serverId })
  if (!may.ok) return may
  const listed = await runOperation(actor, firewall.get, { serverId })
  if (!listed.ok) return listed
  const undo = await keepUndo(actor, onServer(change), inverseOf(may.data.connection, seen, listed.data.rules))
  for (const [index, rule] of seen.entries()) {
    const removed = await removeRule(actor, change, rule)
    if (removed.ok) continue
    // If only one half was deleted, the stored undo stays, because it can restore that half.
    return index === 0 ? refuseChange(undo, removed.problem) : { ok: false, problem: formatHalf(removed.problem) }
  }
  return { ok: true, data: { undo } }
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
