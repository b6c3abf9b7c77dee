/** System users of a server: people's accounts, root and the account we come in by. */

import type { users } from '@/lib/contract/operations/users'
import { problem } from '@/lib/contract/problem'
import { Refused } from '../failure'
import { changeMachine, requireMachine, type SubjectRoutes } from './call'
import { accountRefusal, passwordRefusal } from './names'

export const usersRoutes: SubjectRoutes<typeof users> = {
  async list(call) {
    const machine = await requireMachine(call)
    const { name, dns, host, ip, user, port } = machine
    const names = await call.service.fleet.machine(machine).users.list()
    return { name, dns, host, ip, user, port: String(port), users: names.map((account) => ({ name: account })) }
  },

  async save(call) {
    const { user, pass } = call.input
    requireFields({ user: accountRefusal(user), pass: passwordRefusal(pass) })
    return changeMachine(call, ({ users }) => users.save(user, pass))
  },

  async delete(call) {
    const { user } = call.input
    requireFields({ user: accountRefusal(user) })
    return changeMachine(call, ({ users }) => users.delete(user))
  },
}

/** Throws Refused invalid with every refusal there is. */
function requireFields(refusals: Readonly<Record<string, string | null>>): void {
  const fields = Object.fromEntries(Object.entries(refusals).flatMap(([field, why]) => (why ? [[field, why]] : [])))
  if (Object.keys(fields).length > 0) throw new Refused(problem('invalid', { fields }))
}
