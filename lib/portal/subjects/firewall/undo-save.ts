/** Deletes an added firewall rule, and turns the firewall back on or off. */
import 'server-only'
import * as z from 'zod'
import { firewall } from '@/lib/contract/operations/firewall'
import type { Outcome } from '@/lib/contract/problem'
import { lineOf, linesOf } from '@/lib/firewall/listed'
import type { Actor } from '@/lib/portal/identity/actor'
import { checkState, runInverse, tooLate } from '../revert/run-inverse'
import { type RevertRequest, undoKind } from '../undoable/kind'
import { describeRule } from './describe-rule'
import { keptRule, page, readFirewall, ruleWords, without } from './kept-rule'

/** Deletes the rules that were added, as far as they still exist. */
export const undoRuleAdd = undoKind({
  name: 'firewall.takeOut',
  /** before: equal rules that existed already, and therefore stay. */
  schema: z.object({ words: ruleWords, before: z.array(keptRule) }),
  summary: 'Deletes the rule.',
  plain: true,
  needs: firewall.saveRule,
  page,
  async revert(actor, request, { words, before }) {
    const now = await readFirewall(actor, request)
    if (!now.ok) return now
    const stays = before.map(lineOf)
    const added = linesOf(words).filter((line) => !stays.includes(line))
    if (without(added, now.data.rules)) return tooLate('The rule has changed or was deleted since. Check the server’s firewall.')
    for (const line of added) {
      const removed = await removeLine(actor, request, line)
      if (!removed.ok) return removed
    }
    return { ok: true, data: { message: 'The rule was deleted again.' } }
  },
})

/** Reads the list before each deletion, because an id may be just a position. Skips a half that no longer exists. */
async function removeLine(actor: Actor, request: RevertRequest, line: string): Promise<Outcome<object>> {
  const listed = await readFirewall(actor, request)
  if (!listed.ok) return listed
  const rule = listed.data.rules.find((candidate) => lineOf(candidate) === line)
  if (!rule) return listed
  return runInverse(actor, firewall.deleteRule, { ...request, about: describeRule(rule) }, { id: rule.id }, () =>
    checkState(readFirewall(actor, request), (data, whole) => whole && without([line], data.rules)),
  )
}

/** Does nothing if the firewall is already in its former state. */
export const undoFirewallSwitch = undoKind({
  name: 'firewall.switch',
  /** on: the state before the change. */
  schema: z.object({ on: z.boolean() }),
  summary: 'Restores the firewall to its earlier state.',
  plain: true,
  needs: firewall.toggle,
  page,
  async revert(actor, request, { on }) {
    const now = await readFirewall(actor, request)
    if (!now.ok) return now
    const word = on ? 'on' : 'off'
    if (now.data.active === on) return tooLate(`The firewall is ${word} again, so there is nothing to undo.`)
    const toggled = await runInverse(actor, firewall.toggle, request, { status: on ? '1' : '0' }, () =>
      checkState(readFirewall(actor, request), (data) => data.active === on),
    )
    return toggled.ok ? { ok: true, data: { message: `The firewall is ${word} again.` } } : toggled
  },
})
