/** System users of a server: people's, root and Gatehouse's login user. */
import type { users } from '@/lib/contract/operations/users'
import { changeMachine, requireMachine, type SubjectRoutes } from './call'

export const usersRoutes: SubjectRoutes<typeof users> = {
  async list(call) {
    const machine = await requireMachine(call)
    const { name, dns, host, ip, user, port } = machine
    const names = await call.service.fleet.machine(machine).users.list()
    return { name, dns, host, ip, user, port: String(port), users: names.map((account) => ({ name: account })) }
  },

  async save(call) {
    const { user, pass } = call.input
    return changeMachine(call, ({ users }) => users.save(user, pass))
  },

  async delete(call) {
    const { user } = call.input
    return changeMachine(call, ({ users }) => users.delete(user))
  },
}
