/** Restores a deleted firewall rule, or its two halves, at its old position. */
import 'server-only'
import * as z from 'zod'
import { firewall } from '@/lib/contract/operations/firewall'
import type { Outcome } from '@/lib/contract/problem'
import { exactWordsOf, fieldsOf, isV6, lineOf, sayingOf, saysV6 } from '@/lib/firewall/listed'
import type { Actor } from '@/lib/portal/identity/actor'
import { checkState, runInverse, tooLate } from '../revert/run-inverse'
import { type RevertRequest, undoKind } from '../undoable/kind'
import { describeRule } from './describe-rule'
import { type FirewallRule, type KeptRule, keptRule, page, readFirewall, without } from './kept-rule'
import { comparePlace, placeRules } from './order'

/** Does nothing if the rule exists again, or if its former neighbours are gone or in another order. */
export const undoRuleDelete = undoKind({
  name: 'firewall.putBack',
  /** rules: one, or its two halves, IPv4 first. before: all rules at that time, in their order. */
  schema: z.object({ rules: z.array(keptRule).min(1).max(2), before: z.array(keptRule) }),
  summary: 'Restores the rule at its position.',
  plain: true,
  needs: firewall.saveRule,
  page,
  async revert(actor, request, { rules, before }) {
    const found = await readFirewall(actor, request)
    if (!found.ok) return found
    const now = found.data.rules
    const missing = rules.filter((rule) => without([lineOf(rule)], now))
    if (missing.length === 0) return tooLate('The rule exists again, so there is nothing to undo.')
    if (!request.extensions && missing.some((half) => meansMore(half, [...rules, ...now]))) return tooLate(silent)
    const place = comparePlace(missing, before, now)
    if (place !== 'keeps') return tooLate(place === 'mixed' ? mixed : gone)
    const saved = await saveHalves(actor, request, missing, before)
    if (!saved.ok) return saved
    const listed = await readFirewall(actor, request)
    if (!listed.ok) return { ok: true, data: { message: 'The rule was restored.' } }
    const present = listed.data.rules
    if (missing.some((rule) => without([lineOf(rule)], present))) return { ok: true, data: { message: partly } }
    return { ok: true, data: { message: comparePlace(missing, before, present) === 'mixed' ? movedAway : 'The rule was restored.' } }
  },
})

/**
 * Saving one half may restore the other with it, so the list is read before each. Halves with the same words are sent only once: a
 * second time could only duplicate the other half.
 */
async function saveHalves(
  actor: Actor,
  request: RevertRequest,
  missing: readonly KeptRule[],
  before: readonly KeptRule[],
): Promise<Outcome<object>> {
  const sent: string[] = []
  for (const half of missing) {
    const listed = await readFirewall(actor, request)
    if (!listed.ok) return listed
    const left = missing.filter((rule) => without([lineOf(rule)], listed.data.rules))
    const words = request.extensions ? fieldsOf(left, before) : exactWordsOf(half)
    if (!left.includes(half) || words === null || sent.includes(JSON.stringify(words))) continue
    const awaited = (request.extensions ? left : [half]).map(lineOf)
    const shows = (present: readonly FirewallRule[]) => awaited.every((line) => !without([line], present))
    const step = { ...request, about: describeRule(words) }
    const place = request.extensions && { before: placeRules(left, before, listed.data.rules) }
    const saved = await runInverse(actor, firewall.saveRule, step, { ...words, ...place }, () =>
      checkState(readFirewall(actor, request), (data) => shows(data.rules)),
    )
    if (!saved.ok) return saved
    sent.push(JSON.stringify(words))
  }
  return { ok: true, data: {} }
}

/** Services receive only the rule's words: if these do not show that a half is IPv6, the service would create an IPv4 rule. */
const meansMore = (half: KeptRule, others: readonly KeptRule[]): boolean =>
  isV6(half) && !saysV6(half) && !others.some((other) => !isV6(other) && sayingOf(other) === sayingOf(half))

const silent =
  'This rule applied to IPv6 only, and the service cannot express that: saved again, it might also apply to IPv4. Nothing was done. Add the rule at the service.'
const partly = 'The rule was saved, but the service lists it differently than before. Check the rules.'
const mixed = 'The rules were reordered since, so the old position of this rule is unknown. Add the rule where it belongs now.'
const gone =
  'None of the neighbouring rules exists any more, so the old position of this rule is unknown. Add the rule where it belongs now.'
const movedAway = 'The rule was restored, but not at its old position. Check the order of the rules.'
