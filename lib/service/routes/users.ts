/** System users of a server: people's, root and Gatehouse's login user. Those of sites are neither listed nor deleted here. */
import type { users } from '@/lib/contract/operations/users'
import { problem } from '@/lib/contract/problem'
import { Refused } from '../failure'
import { findSiteOfUser, listSiteNames } from '../store/sites'
import { changeMachine, requireMachine, type SubjectRoutes } from './call'

export const usersRoutes: SubjectRoutes<typeof users> = {
  async list(call) {
    const machine = await requireMachine(call)
    const { name, dns, host, ip, user, port } = machine
    const ofSites = new Set(await listSiteNames(call.service.store, machine.id))
    const names = (await call.service.fleet.machine(machine).users.list()).filter((account) => !ofSites.has(account))
    return { name, dns, host, ip, user, port: String(port), users: names.map((account) => ({ name: account })) }
  },

  async save(call) {
    const { user, pass } = call.input
    const { id } = await requireMachine(call)
    return changeMachine(call, async ({ users }) => {
      const site = await findSiteOfUser(call.service.store, id, user)
      if (site && (site.state === 'creating' || site.deleting))
        throw new Refused(problem('busy', { sentence: `The site ${site.domain} is being created or deleted. Wait until that ends.` }))
      // A site that was half deleted has no user any more. Saving would create one, who has a shell.
      await (site ? users.setPassword(user, pass) : users.save(user, pass))
    })
  },

  async delete(call) {
    const { user } = call.input
    const machine = await requireMachine(call)
    const site = await findSiteOfUser(call.service.store, machine.id, user)
    if (site)
      throw new Refused(problem('unsuitable', { sentence: `${user} is the user of the site ${site.domain}. Delete the site instead.` }))
    return changeMachine(call, ({ users }) => users.delete(user))
  },
}
