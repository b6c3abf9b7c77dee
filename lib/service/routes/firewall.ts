/** The firewall of a server: its switch and its rules. */
import type { firewall } from '@/lib/contract/operations/firewall'
import { problem } from '@/lib/contract/problem'
import { readRule, ruleRefusals } from '@/lib/firewall/rule'
import { Refused } from '../failure'
import { changeMachine, requireMachine, type SubjectRoutes } from './call'

export const firewallRoutes: SubjectRoutes<typeof firewall> = {
  async get(call) {
    return call.service.fleet.machine(await requireMachine(call)).firewall.get()
  },

  async toggle(call) {
    const machine = await requireMachine(call)
    try {
      return await changeMachine(call, ({ firewall }) => firewall.toggle(call.input.status))
    } finally {
      // The summary tells whether it is on.
      call.service.summaries.forget(machine.id)
    }
  },

  async saveRule(call) {
    const rule = parseRule(call.input)
    const { before = [] } = call.input
    if (!before.every((id) => id === 'end' || isRuleId(id)))
      throw new Refused(problem('invalid', { fields: { before: 'Give ids of rules as the list tells them, or end.' } }))
    return changeMachine(call, ({ firewall }) => firewall.saveRule(rule, before))
  },

  async deleteRule(call) {
    const { id } = call.input
    if (!isRuleId(id)) throw new Refused(problem('invalid', { fields: { id: 'Give the id of a rule as the list tells it.' } }))
    return changeMachine(call, ({ firewall }) => firewall.deleteRule(id))
  },
}

const isRuleId = (id: string): boolean => /^v[46]-[\w-]{16}$/.test(id)

/** Throws Refused invalid with a reason for each field that is not acceptable. */
function parseRule(words: Parameters<typeof readRule>[0]) {
  const fields = ruleRefusals(words)
  const rule = readRule(words)
  if (rule === null || Object.keys(fields).length > 0) throw new Refused(problem('invalid', { fields }))
  return rule
}
