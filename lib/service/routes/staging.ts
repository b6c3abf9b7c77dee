/** The staging copy of a site: pulled from it, and pushed to it. */
import { randomBytes, randomUUID } from 'node:crypto'
import type { apps } from '@/lib/contract/operations/apps'
import { problem } from '@/lib/contract/problem'
import { Refused } from '../failure'
import { relatedTables } from '../machines/related-tables'
import type { CopiedParts, SiteOnHost } from '../machines/sites'
import { stagingUser } from '../machines/staged'
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
    const site = await requireSite(call)
    const copy = await findCopy(service.store, site.id)
    const present = copy?.state === 'ready' ? onHost(copy) : null
    const facts = await service.stagingFacts.read(site.id, () => service.fleet.machine(site.machine).sites.staging(onHost(site), present))
    const words = privateTables(facts.tables)
    const related = relatedTables(facts.tables.map(({ name }) => name))
    const tables = facts.tables.map(({ partners, ...table }) => ({
      ...table,
      partners: [...partners],
      related: (related.get(table.name) ?? []).filter((name) => !partners.includes(name)),
      private: words.get(table.name) ?? '',
    }))
    const sizes = facts.filesBytes === null ? {} : { files_bytes: facts.filesBytes }
    const copied = { exists: facts.exists, user: stagingUser, pulled: facts.pulledAt, mixed: facts.mixed }
    const changes = facts.liveChanges === null ? {} : { live_changes: facts.liveChanges }
    return {
      item: [
        { domain: stagingDomain(site.domain), ...copied, ...sizes, tables, ...changes, ...(present && accessOf(present, site.machine)) },
      ],
    }
  },

  pull: (call) =>
    followOrStart(call, { operation: 'apps.pull' }, async (machine) => {
      const { service, input } = call
      const parts = partsOf(input)
      const admit = async () => {
        const live = await requireReadySite(call)
        const known = await findCopy(service.store, live.id)
        if (known?.state === 'creating') throw notReady(known)
        // One that an earlier pull has left half made is made again.
        const isNew = known?.state !== 'ready'
        if (isNew && !parts.files && !parts.database) throw noCopyYet(live)
        const copy = known ? onHost(known) : await newCopy(call, machine, stagingDomain(live.domain))
        const password = isNew || input.new_password === true ? randomBytes(15).toString('base64url') : ''
        return { kind: 'pull' as const, site: onHost(live), copy, parts, isNew, password }
      }
      // Checked before it waits for other work on the server, and again after.
      const { copy } = await admit()
      const live = await requireReadySite(call)
      const refused = live.ssl ? await findRefused(service, machine, copy) : []
      return service.siteRuns.pull(machine, call.input.site_id, async ({ authority }) => ({ ...(await admit()), authority, refused }))
    }),

  push: (call) =>
    followOrStart(call, { operation: 'apps.push' }, async (machine) => {
      const { service, input } = call
      const admit = async () => {
        const live = await requireReadySite(call)
        const copy = await findCopy(service.store, live.id)
        if (copy?.state === 'creating') throw notReady(copy)
        if (copy?.state !== 'ready') throw noCopyYet(live)
        const replace = input.replace_live_changes === true
        return { kind: 'push' as const, site: onHost(live), copy: onHost(copy), parts: partsOf(input), replace }
      }
      await admit()
      return service.siteRuns.run(machine, call.input.site_id, { operation: 'apps.push' }, admit)
    }),
}

const accessOf = ({ name }: SiteOnHost, { ip }: MachineRow) => ({
  access: { ip, user: name, root: '/public', db_name: name, db_user: name, db_host: 'localhost' },
})

type Parts = { files: boolean; database: boolean; tables: readonly string[] }

export const stagingChecks: Pick<SubjectChecks<typeof apps>, 'pull' | 'push'> = {
  // With neither files nor database, a pull only sets the new password.
  pull: (input) => refusalsOf(input, { isAll: true, mayBeNone: input.new_password === true }),
  push: (input) => refusalsOf(input, { isAll: false, mayBeNone: false }),
}

/** isAll: whether no table means all of them. mayBeNone: whether nothing has to be copied. */
function refusalsOf({ files, database, tables }: Parts, { isAll, mayBeNone }: { isAll: boolean; mayBeNone: boolean }) {
  return {
    files: files || database || mayBeNone ? null : 'Choose the files, the database, or both.',
    tables: database && tables.length === 0 && !isAll ? 'Name the tables to push.' : tooLong(tables),
  }
}

/** No table of MariaDB has a longer name, or an empty one. */
const tooLong = (tables: readonly string[]): string | null =>
  tables.every((name) => name !== '' && [...name].length <= 64) ? null : 'The name of a table has 1 to 64 characters.'

const partsOf = ({ files, database, tables }: Parts): CopiedParts => ({ files, database, tables: database ? [...new Set(tables)] : [] })

const unsuitable = (sentence: string) => new Refused(problem('unsuitable', { sentence }))

const noCopyYet = ({ domain }: SiteRow) => unsuitable(`${domain} has no staging copy yet. Pull first.`)

const notReady = ({ domain }: SiteRow) => new Refused(problem('busy', { sentence: `${domain} is not ready yet. Wait, then try again.` }))

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
