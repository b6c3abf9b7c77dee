/** The settings of a site: its names, its certificate, its PHP and the folder that is served. */
import type { Answer } from '@/lib/contract/operation'
import type { sites } from '@/lib/contract/operations/sites'
import type { NameCheck, NameRefusal, SiteFacts, SiteOnHost } from '../machines/sites'
import type { SlowWork } from '../runs/slow-work'
import type { MachineRow } from '../store/machines'
import { onHost, type SiteRow } from '../store/sites'
import { type Call, followOrStart, requireReadySite, requireSite, type Service } from './call'

/** Read from the server itself, once for all simultaneous callers. Undefined for a site that is not on its server. */
export async function readFacts({ fleet, siteFacts }: Service, site: SiteRow & { machine: MachineRow }): Promise<SiteFacts | undefined> {
  return siteFacts.read(site.id, async () => (await fleet.machine(site.machine).sites.facts([onHost(site)])).get(site.name) ?? undefined)
}

export async function readSettings(call: Call<typeof sites.settings>): Promise<Answer<typeof sites.settings>> {
  const { service } = call
  const site = await requireSite(call)
  const { domain, aliases } = onHost(site)
  const names = [domain, ...aliases]
  if (site.state !== 'ready') return { item: [{ domain, ssl: false, names }] }
  const [facts, checks] = await Promise.all([readFacts(service, site), service.nameChecks.read(site.id, () => checkNames(service, site))])
  const { names: covered = [], leftOut = [], issued = '', expires = '', problem = '' } = facts?.certificate ?? {}
  const certificate = { covered: [...covered], left_out: [...leftOut], issued, expires, problem }
  return { item: [{ domain, ssl: facts?.ssl ?? false, names, ...certificate, checks, ...describe(facts?.settings) }] }
}

/** Nothing for a site that is not on its server. */
function describe(settings: SiteFacts['settings'] | undefined) {
  if (!settings) return {}
  const { php, versions, uploadMb, memoryMb, folder, workers, waiting, extensions, wwwRedirect, hstsSeconds, mailPerHour, mailHeldUntil } =
    settings
  const limits = { upload_limit: uploadMb?.toFixed(0) ?? '', memory_limit: memoryMb?.toFixed(0) ?? '' }
  const numbers = { workers: workers?.toFixed(0) ?? '', waiting: waiting?.toFixed(0) ?? '' }
  const names = { www_redirect: wwwRedirect ?? false, hsts: hstsSeconds?.toFixed(0) ?? '' }
  const mail = { mail_per_hour: mailPerHour?.toFixed(0) ?? '', mail_held_until: mailHeldUntil }
  return { php, php_versions: [...versions], php_extensions: [...extensions], ...limits, folder, ...numbers, ...names, ...mail }
}

const numberOf = (given: string | undefined): number | null => (given === undefined ? null : Number(given))

/** A job of the server. */
export const configureSite = (call: Call<typeof sites.configure>): Promise<SlowWork> =>
  followOrStart(call, { operation: 'sites.configure' }, async (machine) => {
    const { php, upload_limit, memory_limit, folder, workers, waiting, www_redirect, hsts, mail_per_hour } = call.input
    await requireReadySite(call)
    return call.service.siteRuns.run(machine, call.input.site_id, { operation: 'sites.configure' }, async () => ({
      kind: 'settings',
      site: onHost(await requireReadySite(call)),
      settings: {
        php,
        uploadMb: Number(upload_limit),
        memoryMb: Number(memory_limit),
        folder,
        workers: numberOf(workers),
        waiting: numberOf(waiting),
        hstsSeconds: numberOf(hsts),
        mailPerHour: numberOf(mail_per_hour),
        wwwRedirect: www_redirect === undefined ? null : www_redirect === '1',
      },
    }))
  })

/** What the server finds, and what the domains' CAA records say. Slow names hold a connection to the server, so callers share a check. */
async function checkNames(service: Service, site: SiteRow & { machine: MachineRow }): Promise<NameCheck[]> {
  const { fleet } = service
  const [found, refused] = await Promise.all([
    fleet.machine(site.machine).sites.checkNames(onHost(site)),
    findRefused(service, site.machine, onHost(site)),
  ])
  const reasons = new Map(refused.map(({ name, reason }) => [name, reason]))
  return found.map((check) => {
    const reason = reasons.get(check.name)
    return reason === undefined ? check : { ...check, result: 'blocked' as const, reason }
  })
}

/** The names of a site that no certificate may be issued for, as the CAA records of their domains say. Those of the sandbox have none. */
export async function findRefused(
  { certificateRules }: Service,
  { provider }: Pick<MachineRow, 'provider'>,
  { domain, aliases }: SiteOnHost,
): Promise<NameRefusal[]> {
  return provider === 'sandbox' ? [] : certificateRules.refusals([domain, ...aliases])
}
