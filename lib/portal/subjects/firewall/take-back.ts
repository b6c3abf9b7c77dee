/** Changes of the firewall taken back, while it is as the change left it. */
import 'server-only'
import { firewall } from '@/lib/contract/operations/firewall'
import type { Outcome } from '@/lib/contract/problem'
import { exactWordsOf, fieldsOf, isV6, lineOf, linesOf, sayingOf, saysV6 } from '@/lib/firewall/listed'
import type { Actor } from '@/lib/portal/identity/actor'
import { lookFor, runInverse, type TakenBack, type TakingBack, tooLate } from '../revert/run-inverse'
import { runOperation } from '../spine'
import type { InverseOf, KeptRule } from '../undoable/inverse'
import { describeRule } from './describe-rule'
import { comparePlace } from './order'
import type { FirewallRule } from './remove'

type Kept = InverseOf<'firewall.putBack' | 'firewall.takeOut' | 'firewall.switch'>

/**
 * Matches while: a deleted rule is not there again, and of those it stood among some are left, in their order; a rule that
 * was added is there; the switch stands as it was switched. Otherwise nothing is done.
 */
export async function takeBackFirewall(actor: Actor, taking: TakingBack, kept: Kept): Promise<Outcome<TakenBack>> {
  const now = await read(actor, taking)
  if (!now.ok) return now
  const { active, rules } = now.data
  if (kept.kind === 'firewall.putBack') return putBack(actor, taking, kept, rules)
  return kept.kind === 'firewall.takeOut' ? takeOut(actor, taking, kept, rules) : switchBack(actor, taking, kept, active)
}

const read = (actor: Actor, { serverId }: TakingBack) => runOperation(actor, firewall.get, { serverId })

const without = (lines: readonly string[], rules: readonly FirewallRule[]): boolean => !rules.some((rule) => lines.includes(lineOf(rule)))

async function putBack(
  actor: Actor,
  taking: TakingBack,
  { rules, before }: InverseOf<'firewall.putBack'>,
  now: readonly FirewallRule[],
): Promise<Outcome<TakenBack>> {
  const missing = rules.filter((rule) => without([lineOf(rule)], now))
  if (missing.length === 0) return tooLate('The rule is there again already, so there is nothing to undo.')
  if (!taking.extensions && missing.some((half) => meansMore(half, [...rules, ...now]))) return tooLate(silent)
  const place = comparePlace(missing, before, now)
  if (place !== 'keeps') return tooLate(place === 'mixed' ? mixed : gone)
  const saved = await saveHalves(actor, taking, missing, before)
  if (!saved.ok) return saved
  const listed = await read(actor, taking)
  if (!listed.ok) return { ok: true, data: { says: 'The rule is back.' } }
  const present = listed.data.rules
  if (missing.some((rule) => without([lineOf(rule)], present))) return { ok: true, data: { says: partly } }
  return { ok: true, data: { says: comparePlace(missing, before, present) === 'mixed' ? movedAway : 'The rule is back.' } }
}

/**
 * Saving one half may bring the other back with it, so the list is read before each. A half whose words were sent already
 * is not sent again: that could only make the other half twice.
 */
async function saveHalves(
  actor: Actor,
  taking: TakingBack,
  missing: readonly KeptRule[],
  before: readonly KeptRule[],
): Promise<Outcome<object>> {
  const sent: string[] = []
  for (const half of missing) {
    const listed = await read(actor, taking)
    if (!listed.ok) return listed
    const left = missing.filter((rule) => without([lineOf(rule)], listed.data.rules))
    const words = taking.extensions ? fieldsOf(left, before) : exactWordsOf(half)
    if (!left.includes(half) || words === null || sent.includes(JSON.stringify(words))) continue
    const awaited = (taking.extensions ? left : [half]).map(lineOf)
    const shows = (present: readonly FirewallRule[]) => awaited.every((line) => !without([line], present))
    const step = { ...taking, about: describeRule(words) }
    const saved = await runInverse(actor, firewall.saveRule, step, words, () => lookFor(read(actor, taking), (data) => shows(data.rules)))
    if (!saved.ok) return saved
    sent.push(JSON.stringify(words))
  }
  return { ok: true, data: {} }
}

/** A service takes the words alone: those of a half for IPv6 that do not say so would make one for IPv4 that nobody had. */
const meansMore = (half: KeptRule, others: readonly KeptRule[]): boolean =>
  isV6(half) && !saysV6(half) && !others.some((other) => !isV6(other) && sayingOf(other) === sayingOf(half))

const silent =
  'This rule was for IPv6 only, and the words that the service has for it do not say so: saved again, it may count for IPv4 too. Nothing was done. Add the rule at the service.'
const partly = 'The rule was saved, but the service does not list all of it as before. Look at the rules.'
const mixed =
  'The rules have been put in another order since, so the old place of this one is not known. Add the rule where it belongs now.'
const gone = 'None of the rules that this one stood among is left, so its old place is not known. Add the rule where it belongs now.'
const movedAway = 'The rule is back, but not at its old place. Look at the order of the rules.'

async function takeOut(
  actor: Actor,
  taking: TakingBack,
  { words, before }: InverseOf<'firewall.takeOut'>,
  now: readonly FirewallRule[],
): Promise<Outcome<TakenBack>> {
  const stays = before.map(lineOf)
  const added = linesOf(words).filter((line) => !stays.includes(line))
  if (without(added, now)) return tooLate('The rule is no longer there as it was added. Look at the firewall of the server.')
  for (const line of added) {
    const removed = await removeLine(actor, taking, line)
    if (!removed.ok) return removed
  }
  return { ok: true, data: { says: 'The rule was taken out again.' } }
}

/** The list is read before each: an id may be no more than a place. A half that is not there needs no deleting. */
async function removeLine(actor: Actor, taking: TakingBack, line: string): Promise<Outcome<object>> {
  const listed = await read(actor, taking)
  if (!listed.ok) return listed
  const rule = listed.data.rules.find((candidate) => lineOf(candidate) === line)
  if (!rule) return listed
  return runInverse(actor, firewall.deleteRule, { ...taking, about: describeRule(rule) }, { id: rule.id }, () =>
    lookFor(read(actor, taking), (data, whole) => whole && without([line], data.rules)),
  )
}

async function switchBack(
  actor: Actor,
  taking: TakingBack,
  { on }: InverseOf<'firewall.switch'>,
  active: boolean,
): Promise<Outcome<TakenBack>> {
  const word = on ? 'on' : 'off'
  if (active === on) return tooLate(`The firewall is ${word} again already, so there is nothing to undo.`)
  const toggled = await runInverse(actor, firewall.toggle, taking, { status: on ? '1' : '0' }, () =>
    lookFor(read(actor, taking), (data) => data.active === on),
  )
  return toggled.ok ? { ok: true, data: { says: `The firewall is ${word} again.` } } : toggled
}
