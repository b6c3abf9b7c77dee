/** The firewall of a sandbox server: stores UFW's lines, applies the same steps, and locks Gatehouse out where a real one would. */
import { isLetIn } from '@/lib/firewall/order'
import { formatRule, type Rule } from '@/lib/firewall/rule'
import { type Changed, createFirewall, type UfwState } from '../firewall'
import type { Firewall } from '../machine'
import { type Entry, type Family, parseEntries, renderEntry, renderText, type Step } from '../ufw'
import type { SandboxModel } from './model'

/** Gatehouse's address as sandbox servers see it. */
const ourAddress = '198.51.100.1'

/** `visit` runs work on the model, one at a time, and stores the changed model. */
export function createSandboxFirewall(visit: <T>(work: (machine: SandboxModel) => T) => Promise<T>, sshPort: number): Firewall {
  return createFirewall({
    read: () => visit(readState),
    change: (state, { steps, removed, guarded }) =>
      visit((machine): Changed => {
        const now = readState(machine)
        if (now.rules !== state.rules || now.rules6 !== state.rules6) return { kind: 'changed' }
        const before = structuredClone(machine.firewall)
        for (const step of steps) takeStep(machine, step)
        machine.firewall.removed = removed
        if (!guarded || mayComeIn(machine, sshPort)) return { kind: 'done' }
        machine.firewall = before
        return { kind: 'cut_off', undone: true }
      }),
  })
}

const readState = ({ firewall: { active, rules, rules6, removed } }: SandboxModel): UfwState => ({
  active,
  hasIpv6: true,
  rules: rules.join('\n'),
  rules6: rules6.join('\n'),
  removed,
})

const entriesOf = ({ firewall }: SandboxModel): Entry[] => parseEntries(firewall.rules.join('\n'), firewall.rules6.join('\n'))

function mayComeIn(machine: SandboxModel, port: number): boolean {
  const rules = entriesOf(machine).flatMap(({ family, rule }) => (family === 4 ? [rule] : []))
  return !machine.firewall.active || isLetIn(rules, { protocol: 'tcp', port, address: ourAddress })
}

/** Whether an equal rule exists, in either family. */
export const hasRule = (machine: SandboxModel, rule: Rule): boolean => entriesOf(machine).some((entry) => isRule(entry, rule))

const isRule = (entry: Entry, rule: Rule): boolean =>
  entry.rule !== null && JSON.stringify(formatRule(entry.rule)) === JSON.stringify(formatRule(rule))

/** Does what the `ufw` command would do. */
export function takeStep(machine: SandboxModel, step: Step): void {
  if (step.kind === 'switch') machine.firewall.active = step.on
  else edit(machine, (entries) => withStep(entries, step))
}

/** Removes a rule in both families. */
export function removeRule(machine: SandboxModel, rule: Rule): void {
  edit(machine, (entries) => entries.filter((entry) => !isRule(entry, rule)))
}

function withStep(entries: Entry[], step: Exclude<Step, { kind: 'switch' }>): Entry[] {
  if (step.kind === 'delete') return entries.filter(({ number }) => number !== step.number)
  if (step.kind === 'append') return [...entries, ...step.families.map((family) => entryOf(step.rule, family))]
  const entry = { ...entryOf(step.rule, step.family), comment: step.comment }
  const isPlace = (candidate: Entry) => (step.before === 'first' ? candidate.family === step.family : candidate.place === step.before)
  const place = entries.findIndex(isPlace)
  return place < 0 ? [...entries, entry] : entries.toSpliced(place, 0, entry)
}

/** number and place are assigned when the lines are parsed again. */
const entryOf = (rule: Rule, family: Family): Entry => ({ family, text: renderText(rule, family), comment: '', number: 0, place: 0, rule })

function edit(machine: SandboxModel, change: (entries: Entry[]) => Entry[]): void {
  const entries = change(entriesOf(machine))
  const linesOf = (wanted: Family) => entries.flatMap((entry) => (entry.family === wanted ? renderEntry(entry).split('\n') : []))
  Object.assign(machine.firewall, { rules: linesOf(4), rules6: linesOf(6) })
}
