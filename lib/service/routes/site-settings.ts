/** The settings of a site: its names, and its certificate. */
import type { Answer } from '@/lib/contract/operation'
import type { sites } from '@/lib/contract/operations/sites'
import type { NameCheck, SiteFacts } from '../machines/sites'
import type { MachineRow } from '../store/machines'
import { onHost, type SiteRow } from '../store/sites'
import { type Call, requireSite, type Service } from './call'

/** Read from the server itself, once for all simultaneous callers. Undefined for a site that is not on its server. */
export async function readFacts({ fleet, siteFacts }: Service, site: SiteRow & { machine: MachineRow }): Promise<SiteFacts | undefined> {
  return siteFacts.read(site.id, async () => (await fleet.machine(site.machine).sites.facts([onHost(site)])).get(site.name))
}

export async function readSettings(call: Call<typeof sites.settings>): Promise<Answer<typeof sites.settings>> {
  const { service } = call
  const site = await requireSite(call)
  const { domain, aliases } = onHost(site)
  const names = [domain, ...aliases]
  if (site.state !== 'ready') return { item: [{ domain, ssl: false, names }] }
  const [facts, checks] = await Promise.all([readFacts(service, site), checkNames(service, site)])
  const { names: covered = [], leftOut = [], issued = '', expires = '', problem = '' } = facts?.certificate ?? {}
  const certificate = { covered: [...covered], left_out: [...leftOut], issued, expires, problem }
  return { item: [{ domain, ssl: facts?.ssl ?? false, names, ...certificate, checks }] }
}

/** What the server finds, and what the domains' CAA records say. */
async function checkNames({ fleet, certificateRules }: Service, site: SiteRow & { machine: MachineRow }): Promise<NameCheck[]> {
  const found = await fleet.machine(site.machine).sites.checkNames(onHost(site))
  if (site.machine.provider === 'sandbox') return found
  return Promise.all(
    found.map(async (check) => {
      const reason = await certificateRules.refusal(check.name)
      return reason === null ? check : { ...check, result: 'blocked' as const, reason }
    }),
  )
}
