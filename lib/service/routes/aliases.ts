/** Aliases of sites. */
import type { aliases } from '@/lib/contract/operations/aliases'
import { problem } from '@/lib/contract/problem'
import { Refused } from '../failure'
import type { SiteOnHost } from '../machines/sites'
import type { SlowWork } from '../runs/slow-work'
import { readDomain } from '../site-names'
import { findNamesInUse, onHost, type SiteRow } from '../store/sites'
import { type Call, followOrStart, requireReadySite, requireSite, type SubjectChecks, type SubjectRoutes } from './call'
import { findRefused } from './site-settings'

export const aliasesRoutes: SubjectRoutes<typeof aliases> = {
  async list(call) {
    const { domain, aliases, machine } = await requireSite(call)
    void call.service.siteChecks.refresh(machine.id)
    const server = { name: machine.name, ip: machine.ip, dns: machine.dns }
    const sorted = aliases.toSorted((one, other) => (one.domain < other.domain ? -1 : 1))
    const shown = sorted.map((alias) => ({ domain: alias.domain, dns: { A: alias.address, MX: alias.mx } }))
    return { item: [{ domain, aliases: shown, server, expected: { A: machine.ip, MX: '' } }] }
  },

  save: (call) =>
    rename(call, 'aliases.save', call.input.more === true, async (site, alias) => {
      const [taken] = await findNamesInUse(call.service.store, call.accountId, [alias])
      if (taken !== undefined) throw refusal(`${taken} is already a name of a site.`)
      const { aliases, ...rest } = onHost(site)
      return { ...rest, aliases: [...aliases, alias].sort() }
    }),

  delete: (call) =>
    rename(call, 'aliases.delete', false, async (site, alias) => {
      const { aliases, ...rest } = onHost(site)
      if (!aliases.includes(alias)) throw new Refused(problem('changed_meanwhile', { sentence: `${alias} is not an alias of this site.` }))
      return { ...rest, aliases: aliases.filter((known) => known !== alias) }
    }),
}

export const aliasesChecks: SubjectChecks<typeof aliases> = {
  save: ({ alias }) => refusalOf(alias),
  delete: ({ alias }) => refusalOf(alias),
}

function refusalOf(alias: string) {
  const reading = readDomain(alias)
  return { alias: 'refusal' in reading ? reading.refusal : null }
}

const refusal = (why: string) => new Refused(problem('invalid', { fields: { alias: why } }))

/** later: the certificate waits, because more aliases are about to change. `admit` returns the site as it will be. */
async function rename(
  call: Call<typeof aliases.delete>,
  operation: 'aliases.save' | 'aliases.delete',
  later: boolean,
  admit: (site: SiteRow, alias: string) => Promise<SiteOnHost>,
): Promise<SlowWork> {
  const reading = readDomain(call.input.alias)
  if ('refusal' in reading) throw refusal(reading.refusal)
  const alias = reading.domain
  const wanted = { operation, about: alias }
  return followOrStart(call, wanted, async (machine) => {
    const admitPresent = async () => admit(await requireReadySite(call), alias)
    // Checked before it waits for other work on the server, and again after.
    const wished = await admitPresent()
    // Without SSL nothing is ordered. A site that has it since a moment ago leaves such a name to the authority.
    const { ssl } = await requireReadySite(call)
    const refused = ssl && !later ? await findRefused(call.service, machine, wished) : []
    return call.service.siteRuns.run(machine, call.input.site_id, wanted, async ({ authority }) => {
      return { kind: 'names', site: await admitPresent(), later, authority, refused }
    })
  })
}
