/** Taking a firewall rule out, in one family or both: never another rule than the one a person saw. */
import 'server-only'
import { firewall } from '@/lib/contract/operations/firewall'
import { type Outcome, type Problem, problem } from '@/lib/contract/problem'
import { ruleOf } from '@/lib/firewall/listed'
import { decide } from '@/lib/portal/access/decide'
import type { Actor } from '@/lib/portal/identity/actor'
import type { Connection } from '@/prisma/generated/portal/client'
import { runOperation } from '../spine'
import { keepUndo, refuseChange, type Undoable } from '../undoable/kept'
import { type Kept, kept } from '../undoable/kind'
import { onServer } from '../undoable/subject'
import { describeRule } from './describe-rule'
import { type FirewallRule, keptOf } from './kept-rule'
import { undoRuleDelete } from './undo-delete'

/** Where, and under which id its steps stand in the record. */
export type Change = { serverId: string; requestId: string }

/** What a rule is; its `id` may be no more than its place, and tells nothing once others came or went. */
const members = ['action', 'from', 'port', 'protocol', 'v6'] as const

const isSame = (one: FirewallRule, other: FirewallRule): boolean => members.every((name) => one[name] === other[name])

/** Deletes a rule as it was seen: one, or its halves. What is kept of it and of its place brings it back. */
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
    // What was kept stays where one half is gone: that one may be put back.
    return index === 0 ? refuseChange(undo, removed.problem) : { ok: false, problem: formatHalf(removed.problem) }
  }
  return { ok: true, data: { undo } }
}

/**
 * A service that announces extensions may list rules that say more than four words can; another one's are saved with the
 * very words it listed.
 */
function inverseOf(
  { extensions }: Pick<Connection, 'extensions'>,
  seen: readonly FirewallRule[],
  rules: readonly FirewallRule[],
): Kept | null {
  if (extensions && seen.some((rule) => ruleOf(rule) === null)) return null
  return kept(undoRuleDelete, { rules: seen.map(keptOf), before: rules.map(keptOf) })
}

/** The list is read before each: a service whose `id` is a place in it would otherwise delete whatever stands there by now. */
async function removeRule(actor: Actor, { serverId, ...options }: Change, seen: FirewallRule): Promise<Outcome<object>> {
  const listed = await runOperation(actor, firewall.get, { serverId })
  if (!listed.ok) return listed
  const same = listed.data.rules.filter((rule) => isSame(rule, seen))
  const rule = same.find(({ id }) => id === seen.id) ?? same[0]
  if (!rule) return { ok: false, problem: gone }
  return runOperation(actor, firewall.deleteRule, { serverId }, { id: rule.id }, { ...options, about: describeRule(rule) })
}

const gone = problem('changed_meanwhile', { sentence: 'This rule is no longer there as you saw it. Look at the list again.' })

const formatHalf = ({ code, sentence }: Problem): Problem =>
  problem(code, { sentence: `The rule is gone for IPv4, but may still be there for IPv6. ${sentence}` })
