/** The firewall of a server: turning it on and off, and its rules. */
import { ruleId } from '@/lib/contract/fields'
import type { firewall } from '@/lib/contract/operations/firewall'
import { problem } from '@/lib/contract/problem'
import { readRule, ruleRefusals } from '@/lib/firewall/rule'
import { Refused } from '../failure'
import { changeMachine, requireMachine, type SubjectChecks, type SubjectRoutes } from './call'

export const firewallRoutes: SubjectRoutes<typeof firewall> = {
  async get(call) {
    return call.service.fleet.machine(await requireMachine(call)).firewall.get()
  },

  async toggle(call) {
    const machine = await requireMachine(call)
    try {
      return await changeMachine(call, ({ firewall }) => firewall.toggle(call.input.status))
    } finally {
      // The cached summary contains the firewall's state.
      call.service.summaries.forget(machine.id)
    }
  },

  async saveRule(call) {
    const rule = readRule(call.input)
    if (rule === null) throw new Refused(problem('invalid'))
    return changeMachine(call, ({ firewall }) => firewall.saveRule(rule, call.input.before ?? []))
  },

  async deleteRule(call) {
    return changeMachine(call, ({ firewall }) => firewall.deleteRule(call.input.id))
  },
}

const isRuleId = (id: string): boolean => new RegExp(`^${ruleId.pattern}$`, 'u').test(id)

export const firewallChecks: SubjectChecks<typeof firewall> = {
  saveRule: ({ before = [], ...words }) => ({
    ...ruleRefusals(words),
    before: before.every((id) => id === 'end' || isRuleId(id)) ? null : 'Send rule ids as the list returns them, or end.',
  }),
}
