/** UFW on any provider: compares the wanted state with the present one, and changes one rule at a time. */
import { problem } from '@/lib/contract/problem'
import { hides, mustPrecede } from '@/lib/firewall/order'
import { type Rule, sameTraffic } from '@/lib/firewall/rule'
import { type Firewall, MachineFailure } from './machine'
import { forget, type RemovedText, recallComment, remember } from './removed-rules'
import { type Entry, type Family, idOf, lettingRules, listEntry, parseEntries, placeRule, renderText, type Step } from './ufw'

/** rules, rules6: UFW's own lines of each family. removed: comments of deleted rules. */
export type UfwState = { active: boolean; hasIpv6: boolean; rules: string; rules6: string; removed: RemovedText }

/**
 * waiting: an earlier, unconfirmed change is still to be undone. cut_off: Gatehouse could not log in after the change, so it was undone
 * (undone: true), or the server will undo it itself.
 */
export type Changed = { kind: 'done' | 'changed' | 'waiting' | 'refused' } | { kind: 'cut_off'; undone: boolean }

/** guarded: the change might lock Gatehouse out, so it is kept only if a new login succeeds. */
type Plan = { steps: readonly Step[]; removed: RemovedText; guarded: boolean }

/** The UFW of a server. Throws MachineFailure if the server cannot be reached. */
export type Ufw = {
  /** Null if UFW is not installed. */
  read(): Promise<UfwState | null>
  /** Applies the steps if the rules are still those of `state`. */
  change(state: UfwState, plan: Plan): Promise<Changed>
}

/** How often to retry while someone is changing rules on the server itself. */
const tries = 5

export function createFirewall(ufw: Ufw): Firewall {
  /** Plans again whenever the rules have changed meanwhile; an empty plan counts as done. */
  const change = async (plan: (state: UfwState, entries: readonly Entry[]) => Plan) => {
    for (let left = tries; left > 0; left--) {
      const state = await ufw.read()
      if (state === null) throw withoutUfw()
      const planned = plan(state, entriesOf(state))
      if (planned.steps.length === 0) return
      const changed = await ufw.change(state, planned)
      if (changed.kind === 'done') return
      if (changed.kind === 'cut_off') throw cutOff(changed.undone, entriesOf(state).some(isLimit))
      if (changed.kind === 'refused') throw refused()
      if (changed.kind === 'waiting') throw waiting()
    }
    throw new MachineFailure(problem('changed_meanwhile'))
  }
  return {
    async get() {
      const state = await ufw.read()
      if (state === null) return { active: false, rules: [] }
      return { active: state.active, rules: entriesOf(state).map(listEntry) }
    },
    async toggle(on) {
      if (!on && (await ufw.read()) === null) return
      await change(({ active, removed }) => ({ steps: active === on ? [] : [{ kind: 'switch', on }], removed, guarded: on }))
    },
    saveRule: (rule, before = []) => change((state, entries) => planSave(state, entries, rule, before)),
    deleteRule: (id) => change((state, entries) => planDelete(state, entries, id)),
  }
}

/** With IPv6 turned off, in UFW or in the kernel, UFW stores the IPv6 rules but ignores them. */
const entriesOf = ({ hasIpv6, rules, rules6 }: UfwState): Entry[] => parseEntries(rules, hasIpv6 ? rules6 : '')

/** Works from the end of the list to its beginning, so that no step shifts the numbers that later steps use. */
function planSave({ active, hasIpv6, removed }: UfwState, entries: readonly Entry[], wanted: Rule, named: readonly string[]): Plan {
  const { rule, families } = placeRule(wanted, hasIpv6)
  if (!hasIpv6 && families.includes(6)) throw withoutIpv6()
  const known = new Set(named.length > 0 ? entries.map(idOf) : [])
  if (!named.every((id) => id === 'end' || known.has(id))) throw gone('The rule that this one should come before')
  const missing = families.filter((family) => !isThere(entries, rule, family))
  const steps = missing.toReversed().map((family) => planAddition(removed, entries, rule, family, named))
  const appended = steps.every(({ kind }) => kind === 'append')
  return {
    steps: appended && missing.length > 1 ? [{ kind: 'append', rule, families: missing }] : steps,
    removed: missing.reduce((kept, family) => forget(kept, family, renderText(rule, family)), removed),
    guarded: active && rule.action !== 'allow',
  }
}

/** UFW keeps one rule per kind of traffic, so adding the opposite one would reverse it. */
function isThere(entries: readonly Entry[], rule: Rule, family: Family): boolean {
  const same = entries.find((entry) => entry.family === family && entry.rule !== null && sameTraffic(entry.rule, rule))
  if (same?.rule && same.rule.action !== rule.action) {
    const why = `A rule for the same traffic exists already, with the action ${same.rule.action}. Delete that rule first.`
    throw new MachineFailure(problem('invalid', { fields: { action: why } }))
  }
  return same !== undefined
}

/** The position: the caller's; else before the first rule that must come after it; else at the end. */
function planAddition(removed: RemovedText, entries: readonly Entry[], rule: Rule, family: Family, named: readonly string[]): Step {
  const comment = recallComment(removed, family, renderText(rule, family))
  const goesBefore = (entry: Entry) => (named.length > 0 ? named.includes(idOf(entry)) : goesBehind(entry, rule))
  const before = entries.find((entry) => entry.family === family && goesBefore(entry)) ?? null
  if (before === null && comment === '') return { kind: 'append', rule, families: [family] }
  const matters = before !== null && goesBehind(before, rule)
  return { kind: 'insert', rule, family, before: placeBefore(before, matters, entries), comment }
}

/**
 * UFW accepts no position beyond the number of entries, of IPv4 alone for an IPv4 rule, which is lower than the number of lines if there
 * are application rules.
 */
function placeBefore(before: Entry | null, matters: boolean, entries: readonly Entry[]): number | 'first' | null {
  if (before === null) return null
  const most = entries.filter(({ family }) => family <= before.family).length
  if (before.place <= most) return before.place
  return matters ? 'first' : null
}

/** Whether a new rule must precede an entry, which would otherwise make it ineffective or allow the traffic it refuses. */
const goesBehind = (entry: Entry, rule: Rule): boolean =>
  (entry.rule !== null && hides(entry.rule, rule)) || lettingRules(entry).some((letting) => mustPrecede(rule, letting))

function planDelete({ active, removed }: UfwState, entries: readonly Entry[], id: string): Plan {
  const entry = entries.find((candidate) => idOf(candidate) === id)
  if (!entry) throw gone()
  const opens = entry.rule?.action === 'deny' || entry.rule?.action === 'reject'
  return {
    steps: [{ kind: 'delete', number: entry.number }],
    removed: entry.rule ? remember(removed, entry) : removed,
    guarded: active && !opens,
  }
}

const gone = (what = 'This rule') =>
  new MachineFailure(problem('changed_meanwhile', { sentence: `${what} has changed or was deleted in the meantime. Reload the list.` }))

const withoutIpv6 = () =>
  new MachineFailure(
    problem('invalid', {
      fields: {
        from: 'IPv6 is off on this server: in UFW (IPV6=no in /etc/default/ufw) or in the kernel. Use an IPv4 address, or turn it on there.',
      },
    }),
  )

const withoutUfw = () =>
  new MachineFailure(problem('not_installed', { sentence: 'UFW is not installed on this server. Install the server, or its package ufw.' }))

const waiting = () =>
  new MachineFailure(problem('busy', { sentence: 'The server is undoing an earlier firewall change. Try again in two minutes.' }))

const refused = () => new MachineFailure(problem('internal', { sentence: 'UFW on the server rejected this change. Nothing was changed.' }))

/** UFW refuses the sixth connection within 30 seconds, and each change that might lock Gatehouse out is confirmed by one. */
const isLimit = ({ text }: Entry): boolean => text.startsWith('limit')

const cutOff = (undone: boolean, mayBeLimit: boolean) => {
  const failed = mayBeLimit
    ? 'After this change, Gatehouse could not log in to the server.'
    : 'With this change, Gatehouse could not log in to the server any more.'
  const reverted = undone ? 'It was undone.' : 'The server undoes it automatically within two minutes.'
  const remedy = mayBeLimit ? 'Allow SSH first; if a limit rule refused the login, wait 30 seconds and try again.' : 'Allow SSH first.'
  return new MachineFailure(problem('unreachable', { sentence: `${failed} ${reverted} ${remedy}` }))
}
