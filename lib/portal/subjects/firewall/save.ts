/** Saves a firewall rule, and turns the firewall on or off; both can be undone. */
import 'server-only'
import { firewall } from '@/lib/contract/operations/firewall'
import type { Outcome } from '@/lib/contract/problem'
import { lineOf, linesOf } from '@/lib/firewall/listed'
import type { RuleWords } from '@/lib/firewall/rule'
import { decide } from '@/lib/portal/access/decide'
import type { Actor } from '@/lib/portal/identity/actor'
import { runOperation } from '../spine'
import { findKept, keepUndo, refuseChange, type Undoable } from '../undoable/kept'
import { kept } from '../undoable/kind'
import { onServer } from '../undoable/subject'
import { describeRule } from './describe-rule'
import { type FirewallRule, keptOf } from './kept-rule'
import { comparePlace, placeRules } from './order'
import type { Change } from './remove'
import { undoRuleDelete } from './undo-delete'
import { undoFirewallSwitch, undoRuleAdd } from './undo-save'

/** Reads the list first: a service does not add an existing rule, so an undo must not delete it. */
export async function saveRule(actor: Actor, change: Change, words: RuleWords): Promise<Outcome<Undoable>> {
  const { serverId, requestId } = change
  const may = await decide(actor, firewall.saveRule, { serverId })
  if (!may.ok) return may
  const listed = await runOperation(actor, firewall.get, { serverId })
  if (!listed.ok) return listed
  const lines = linesOf(words)
  const before = listed.data.rules.filter((rule) => lines.includes(lineOf(rule))).map(keptOf)
  const adds = before.length < lines.length
  const undo = await keepUndo(actor, onServer(change), adds ? kept(undoRuleAdd, { words, before }) : null)
  const place = may.data.connection.extensions && adds ? await findOldPlace(actor, serverId, words, listed.data.rules) : {}
  const saved = await runOperation(
    actor,
    firewall.saveRule,
    { serverId },
    { ...words, ...place },
    { requestId, about: describeRule(words) },
  )
  return saved.ok ? { ok: true, data: { undo } } : refuseChange(undo, saved.problem)
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
export async function toggleFirewall(actor: Actor, change: Change, status: string): Promise<Outcome<Undoable>> {
  const { serverId, requestId } = change
  const may = await decide(actor, firewall.toggle, { serverId })
  if (!may.ok) return may
  const listed = await runOperation(actor, firewall.get, { serverId })
  if (!listed.ok) return listed
  const on = listed.data.active
  const turns = on !== (status === '1')
  const undo = await keepUndo(actor, onServer(change), turns ? kept(undoFirewallSwitch, { on }) : null)
  const toggled = await runOperation(actor, firewall.toggle, { serverId }, { status }, { requestId })
  return toggled.ok ? { ok: true, data: { undo } } : refuseChange(undo, toggled.problem)
}
