/** Saves a firewall rule, and turns the firewall on or off; both can be undone. */
import 'server-only'
import { firewall } from '@/lib/contract/operations/firewall'
import type { Outcome } from '@/lib/contract/problem'
import { lineOf, linesOf } from '@/lib/firewall/listed'
import type { RuleWords } from '@/lib/firewall/rule'
import type { Actor } from '@/lib/portal/identity/actor'
import { runOperation } from '../spine'
import { type Undoable, undoableChange } from '../undoable/change'
import { findKept } from '../undoable/kept'
import { kept } from '../undoable/kind'
import { onServer } from '../undoable/subject'
import { describeRule } from './describe-rule'
import { type FirewallRule, keptOf } from './kept-rule'
import { comparePlace, placeRules } from './order'
import type { Change } from './remove'
import { undoRuleDelete } from './undo-delete'
import { undoFirewallSwitch, undoRuleAdd } from './undo-save'

/** Reads the list first: a service does not add an existing rule, so an undo must not delete it. */
export function saveRule(actor: Actor, change: Change, words: RuleWords): Promise<Outcome<Undoable>> {
  const { serverId, requestId } = change
  const lines = linesOf(words)
  const presentOf = (rules: readonly FirewallRule[]) => rules.filter((rule) => lines.includes(lineOf(rule)))
  const adds = (rules: readonly FirewallRule[]) => presentOf(rules).length < lines.length
  return undoableChange(actor, onServer(change), {
    operation: firewall.saveRule,
    read: () => runOperation(actor, firewall.get, { serverId }),
    inverse: ({ rules }) => (adds(rules) ? kept(undoRuleAdd, { words, before: presentOf(rules).map(keptOf) }) : null),
    async run({ rules }, { connection }) {
      const place = connection.extensions && adds(rules) ? await findOldPlace(actor, serverId, words, rules) : {}
      return runOperation(actor, firewall.saveRule, { serverId }, { ...words, ...place }, { requestId, about: describeRule(words) })
    },
  })
}

/** A rule that was deleted here and is now saved by hand, not with Undo, still returns to its old position. */
async function findOldPlace(
  actor: Actor,
  id: string,
  words: RuleWords,
  now: readonly FirewallRule[],
): Promise<{ before?: readonly string[] }> {
  const present = now.map(lineOf)
  const missing = linesOf(words).filter((line) => !present.includes(line))
  for (const { rules, before } of await findKept(actor, { kind: 'server', id }, undoRuleDelete)) {
    const halves = rules.filter((rule) => missing.includes(lineOf(rule)))
    if (halves.length === missing.length && comparePlace(halves, before, now) === 'keeps')
      return { before: placeRules(halves, before, now) }
  }
  return {}
}

/** @param status the form's value: 1 or 0. */
export function toggleFirewall(actor: Actor, change: Change, status: string): Promise<Outcome<Undoable>> {
  const { serverId, requestId } = change
  return undoableChange(actor, onServer(change), {
    operation: firewall.toggle,
    read: () => runOperation(actor, firewall.get, { serverId }),
    inverse: ({ active }) => (active === (status === '1') ? null : kept(undoFirewallSwitch, { on: active })),
    run: () => runOperation(actor, firewall.toggle, { serverId }, { status }, { requestId }),
  })
}
