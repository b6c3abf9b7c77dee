/** The databases of sites. */
import type { database } from '@/lib/contract/operations/database'
import { problem } from '@/lib/contract/problem'
import { Refused } from '../failure'
import type { Machine } from '../machines/machine'
import type { SiteOnHost } from '../machines/sites'
import { findCopy, onHost } from '../store/sites'
import { requireSite, type Service, type SubjectRoutes } from './call'

export const databaseRoutes: SubjectRoutes<typeof database> = {
  async get(call) {
    const { domain, name, machine } = await requireSite(call)
    return { item: [{ domain, db_name: name, server: { ip: machine.ip }, user: name, host: 'localhost' }] }
  },

  async tables(call) {
    const { machine, site } = await requireReady(call)
    const details = await machine.sites.tables(site)
    return { tables: details.map(({ name }) => name), details }
  },

  async save(call) {
    const { machine } = await requireSite(call)
    return call.service.locks.hold(machine.id, async () => {
      const { machine: present, site } = await requireReady(call)
      const target = call.input.staging === true ? await requireCopy(call.service, site) : site
      return { rewritten: await present.sites.setDatabasePassword(target, call.input.password) }
    })
  },
}

/** Throws Refused unsuitable if the site has no staging copy, or one that is only half made. */
async function requireCopy({ store }: Service, { id, domain }: SiteOnHost): Promise<SiteOnHost> {
  const copy = await findCopy(store, id)
  if (copy?.state === 'ready') return onHost(copy)
  throw new Refused(problem('unsuitable', { sentence: `${domain} has no staging copy yet. Pull first.` }))
}

/** The site on its server. Throws Refused busy while it is being created or deleted. */
async function requireReady(call: {
  service: Service
  accountId: string
  input: { site_id: string }
}): Promise<{ machine: Machine; site: SiteOnHost }> {
  const row = await requireSite(call)
  if (row.state === 'creating' || row.deleting)
    throw new Refused(problem('busy', { sentence: 'The site is being created or deleted. Wait until that ends.' }))
  return { machine: call.service.fleet.machine(row.machine), site: onHost(row) }
}
