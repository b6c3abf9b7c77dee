/** The staging copy of a site: pulled from it, and pushed to it. */
import { randomBytes, randomUUID } from 'node:crypto'
import type { apps } from '@/lib/contract/operations/apps'
import { problem } from '@/lib/contract/problem'
import { Refused } from '../failure'
import { type CopiedParts, type SiteOnHost, stagingUser } from '../machines/sites'
import { privateTables } from '../machines/staging'
import { createSiteName } from '../site-names'
import type { MachineRow } from '../store/machines'
import { findCopy, findNamesInUse, listSiteNames, onHost, type SiteRow } from '../store/sites'
import { type Call, followOrStart, requireReadySite, requireSite, type SubjectChecks, type SubjectRoutes } from './call'
import { findRefused } from './site-settings'

type StagingRoutes = Pick<SubjectRoutes<typeof apps>, 'staging' | 'pull' | 'push'>

const maxDomainLength = 253

const stagingDomain = (domain: string): string => `staging.${domain}`

export const stagingRoutes: StagingRoutes = {
  async staging(call) {
    const { service } = call
    const site = requireLive(await requireSite(call))
    const copy = await findCopy(service.store, site.id)
    const present = copy?.state === 'ready' ? onHost(copy) : null
    const facts = await service.fleet.machine(site.machine).sites.staging(onHost(site), present)
    const words = privateTables(facts.tables)
    const tables = facts.tables.map(({ partners, ...table }) => ({
      ...table,
      partners: [...partners],
      private: words.get(table.name) ?? '',
    }))
    const sizes = facts.filesBytes === null ? {} : { files_bytes: facts.filesBytes }
    const copied = { exists: facts.exists, user: stagingUser, pulled: facts.pulledAt, mixed: facts.mixed }
    return { item: [{ domain: stagingDomain(site.domain), ...copied, ...sizes, tables }] }
  },

  pull: (call) =>
    followOrStart(call, { operation: 'apps.pull' }, async (machine) => {
      const { service, input } = call
      const admit = async () => {
        const live = requireLive(await requireReadySite(call))
        const known = await findCopy(service.store, live.id)
        if (known) requireReadyCopy(known)
        const copy = known ? onHost(known) : await newCopy(call, machine, stagingDomain(live.domain))
        const password = !known || input.new_password === true ? randomBytes(15).toString('base64url') : ''
        return { site: onHost(live), copy, parts: partsOf(input), password, isFirst: !known }
      }
      // Checked before it waits for other work on the server, and again after.
      const wished = await admit()
      const live = await requireReadySite(call)
      const refused = live.ssl ? await findRefused(service, machine, wished.copy) : []
      return service.siteRuns.pull(machine, async ({ authority }) => {
        const { isFirst, ...work } = await admit()
        return { work: { kind: 'pull', ...work, authority, refused }, isFirst }
      })
    }),

  push: (call) =>
    followOrStart(call, { operation: 'apps.push' }, async (machine) => {
      const { service, input } = call
      const admit = async () => {
        const live = requireLive(await requireReadySite(call))
        const copy = await findCopy(service.store, live.id)
        if (!copy) throw unsuitable(`${live.domain} has no staging copy yet. Pull first.`)
        requireReadyCopy(copy)
        return { kind: 'push' as const, site: onHost(live), copy: onHost(copy), parts: partsOf(input) }
      }
      await admit()
      return service.siteRuns.run(machine, { operation: 'apps.push' }, admit)
    }),
}

type Parts = { files: boolean; database: boolean; tables: readonly string[] }

export const stagingChecks: Pick<SubjectChecks<typeof apps>, 'pull' | 'push'> = {
  pull: (input) => refusalsOf(input, true),
  push: (input) => refusalsOf(input, false),
}

/** isAll: whether no table means all of them. */
function refusalsOf({ files, database, tables }: Parts, isAll: boolean) {
  return {
    files: files || database ? null : 'Choose the files, the database, or both.',
    tables: database && tables.length === 0 && !isAll ? 'Name the tables to push.' : tooLong(tables),
  }
}

/** No table of MariaDB has a longer name, or an empty one. */
const tooLong = (tables: readonly string[]): string | null =>
  tables.every((name) => name !== '' && [...name].length <= 64) ? null : 'The name of a table has 1 to 64 characters.'

const partsOf = ({ files, database, tables }: Parts): CopiedParts => ({ files, database, tables: database ? [...new Set(tables)] : [] })

const unsuitable = (sentence: string) => new Refused(problem('unsuitable', { sentence }))

/** Throws Refused unsuitable for a staging copy, which has none itself. */
function requireLive<Site extends SiteRow>(site: Site): Site {
  if (site.stagingOf === '') return site
  throw unsuitable(`${site.domain} is a staging copy itself. Pull and push on the page of its live site.`)
}

function requireReadyCopy({ domain, state, deleting }: SiteRow): void {
  if (state === 'ready' && !deleting) return
  throw new Refused(problem('busy', { sentence: `${domain} is not ready. Wait, or delete it and pull again.` }))
}

/** Throws Refused unsuitable if the name is taken or too long. */
async function newCopy({ service }: Call<typeof apps.pull>, machine: MachineRow, domain: string): Promise<SiteOnHost> {
  if (domain.length > maxDomainLength) throw unsuitable(`${domain} is too long for a domain name, so this site cannot have a staging copy.`)
  const [taken] = await findNamesInUse(service.store, machine.accountId, [domain])
  if (taken !== undefined) throw unsuitable(`${taken} is already a name of another site. Delete that site or alias first.`)
  const names = new Set(await listSiteNames(service.store, machine.id))
  let name = createSiteName(domain)
  while (names.has(name)) name = createSiteName(domain)
  return { id: randomUUID(), name, domain, aliases: [] }
}
