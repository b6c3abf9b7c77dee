/** The services of a server. */
import type { services } from '@/lib/contract/operations/services'
import { isRestartable, type ServiceFacts } from '../machines/services'
import { changeMachine, requireMachine, type SubjectChecks, type SubjectRoutes } from './call'

export const servicesRoutes: SubjectRoutes<typeof services> = {
  async list(call) {
    const found = await call.service.fleet.machine(await requireMachine(call)).services.list()
    return { items: found.map(describe) }
  },

  async restart(call) {
    const { unit, server_id: id } = call.input
    // A failed unit is in the summary.
    return changeMachine(call, (machine) => machine.services.restart(unit).finally(() => call.service.summaries.forget(id)))
  },
}

export const servicesChecks: SubjectChecks<typeof services> = {
  restart: ({ unit }) => ({ unit: isRestartable(unit) ? null : refusalOf(unit) }),
}

const refusalOf = (unit: string): string =>
  unit === 'ssh.service'
    ? 'SSH can’t be restarted here: untested settings could lock Gatehouse out.'
    : 'Send the unit of a service that can be restarted.'

const describe = ({ unit, name, state, since, running, all, restarts }: ServiceFacts) => ({
  unit,
  name,
  state,
  restarts,
  ...(since > 0 && { since: new Date(since * 1000).toISOString() }),
  ...(all > 1 && { running, all }),
})
