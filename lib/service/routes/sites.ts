/** Sites: the list, and each site from creation to removal. */
import type { sites } from '@/lib/contract/operations/sites'
import { problem } from '@/lib/contract/problem'
import { Refused } from '../failure'
import { isLastBackupName } from '../machines/site-backups'
import { describeRecords } from '../mail-records'
import { noWork } from '../runs/site-runs'
import { readDomain } from '../site-names'
import type { MachineRow } from '../store/machines'
import { findRunningSiteRun } from '../store/runs'
import { findNewestSiteRun } from '../store/site-runs'
import { type ListedSite, listSites, onHost, type SiteRow, type SiteState } from '../store/sites'
import {
  followOrStart,
  noSuchRun,
  parseEventId,
  requireMachine,
  requireReadySite,
  requireSite,
  type Service,
  type SubjectChecks,
  type SubjectRoutes,
} from './call'
import { lastBackupRefusal, requireLastBackup } from './last-backups'
import { readMailFindings } from './mail-findings'
import { admitSite } from './new-site'
import { configureSite, readFacts, readSettings } from './site-settings'
import { readTraffic } from './site-traffic'

export const sitesRoutes: SubjectRoutes<typeof sites> = {
  async list({ service, accountId }) {
    const rows = await listSites(service.store, accountId)
    // Not awaited: the list has what the last check found.
    for (const machineId of new Set(rows.map((row) => row.machineId))) void service.siteChecks.refresh(machineId)
    const titles = new Map(service.catalogue.map(({ app, title }) => [app, title]))
    return { items: rows.map((row) => listed(row, titles.get(row.app) ?? '')) }
  },

  async create(call) {
    const { service, accountId, input, lastEventId } = call
    const machine = await requireMachine({ ...call, input: { server_id: input.server } })
    const domain = requireDomain(input.domain)
    if (lastEventId !== null) {
      const run = await findNewestSiteRun(service.store, accountId, { operation: 'sites.create', machineId: machine.id, domain })
      if (!run) throw new Refused(noSuchRun)
      return service.siteRuns.resume(machine, run, parseEventId(lastEventId))
    }
    const admit = (present: MachineRow) => admitSite(service, present, domain, input.www ?? false)
    // Checked before it waits for other work on the server, and again after.
    await admit(machine)
    const { password, backup = '', www_redirect: wwwRedirect = false } = input
    if (backup !== '') await requireLastBackup(service, machine, backup)
    return service.siteRuns.create(machine, admit, { password, wwwRedirect, ...(backup !== '' && { backup }) })
  },

  async summary(call) {
    const { service } = call
    const site = await requireSite(call)
    const { machine, domain, name } = site
    void service.siteChecks.refresh(machine.id)
    const live = site.state === 'creating' ? null : await readLive(service, site)
    const state = live && site.state === 'ready' && !site.deleting ? (live.answers ? 'ready' : 'down') : stateOf(site)
    const server = { name: machine.name, ip: machine.ip, dns: machine.dns }
    const found = { A: site.address, MX: site.mx }
    const expected = { A: machine.ip, MX: live?.mail ? machine.hostname : '' }
    const root = live?.folder ? `/public/${live.folder}` : '/public'
    const records = live?.mail ? await describeMailServer(service, site) : []
    return { item: [{ domain, disk_usage: live?.usage ?? '', dns: found, server, expected, records, state, user: name, root }] }
  },

  traffic: readTraffic,

  settings: readSettings,

  configure: configureSite,

  download: (call) =>
    followOrStart(call, { operation: 'sites.download' }, async (machine) => {
      await requireReadySite(call)
      return call.service.siteRuns.run(machine, call.input.site_id, { operation: 'sites.download' }, async () => ({
        kind: 'download',
        site: onHost(await requireReadySite(call)),
      }))
    }),

  /** Also of a site that is being created or deleted. */
  async cancel({ service, accountId, input }) {
    const found = await findRunningSiteRun(service.store, accountId, input.site_id)
    if (!found) {
      await requireSite({ service, accountId, input })
      throw new Refused(noWork)
    }
    await service.siteRuns.cancel(found.machine, found.run)
    return {}
  },

  async delete(call) {
    const { service, accountId, input, lastEventId } = call
    if (lastEventId !== null) {
      const run = await findNewestSiteRun(service.store, accountId, { operation: 'sites.delete', siteId: input.site_id })
      if (!run) {
        await requireSite(call)
        throw new Refused(noSuchRun)
      }
      const machine = await requireMachine({ ...call, input: { server_id: run.machineId } })
      return service.siteRuns.resume(machine, run, parseEventId(lastEventId))
    }
    const { machine } = await requireSite(call)
    return service.siteRuns.delete(machine, input.site_id, async () => onHost(await requireSite(call)), input.without_backup !== true)
  },
}

export const sitesChecks: SubjectChecks<typeof sites> = {
  create: ({ domain, backup = '' }) => {
    const reading = readDomain(domain)
    return {
      domain: 'refusal' in reading ? reading.refusal : null,
      backup: backup === '' || isLastBackupName(backup) ? null : lastBackupRefusal,
    }
  },
}

function requireDomain(given: string): string {
  const reading = readDomain(given)
  if ('refusal' in reading) throw new Refused(problem('invalid', { fields: { domain: reading.refusal } }))
  return reading.domain
}

type ShownState = SiteState | 'down' | 'deleting'

/** down: the newest check found that the server's own web server does not answer for the site. */
function stateOf({ state, deleting, answers }: Pick<SiteRow, 'state' | 'deleting' | 'answers'>): ShownState {
  if (deleting) return 'deleting'
  return state === 'ready' && answers === false ? 'down' : state
}

function listed(site: ListedSite, app: string) {
  const { id, domain, machineId, usage, address, mx, ssl, expires, staging, php, appVersion, aliases, backupAt } = site
  return {
    id,
    domain,
    server: machineId,
    usage,
    ip: address,
    mx,
    state: stateOf(site),
    ssl,
    expires,
    staging,
    php,
    app,
    app_version: app === '' ? '' : appVersion,
    aliases: [...aliases],
    ...(backupAt !== null && { backup_at: backupAt }),
  }
}

/** The MX record, as the page about email judges it: by the addresses of the mail servers, because a server may have several names. */
async function describeMailServer(service: Service, site: SiteRow & { machine: MachineRow }) {
  const { domain, machine } = site
  const records = describeRecords(await readMailFindings(service, site), { domain, hostname: machine.hostname, ip: machine.ip, key: '' })
  return records.filter(({ type }) => type === 'MX')
}

type Live = { usage: string; answers: boolean; mail: boolean; folder: string }

/** usage: bytes as text; empty if unknown. folder: which is served, below `public`. */
async function readLive(service: Service, site: SiteRow & { machine: MachineRow }): Promise<Live> {
  const facts = await readFacts(service, site)
  const { usedBytes, answers = false, mail = false, settings } = facts ?? {}
  return { usage: usedBytes?.toFixed(0) ?? '', answers, mail, folder: settings?.folder ?? '' }
}
