/** Sites of a sandbox server. The first label of a domain decides how the site behaves: docs/sandbox.md. */
import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { problem } from '@/lib/contract/problem'
import { MachineFailure } from '../machine'
import type { SiteFacts, SiteJobLine, SiteOnHost, Sites } from '../sites'
import { appOf, describeApp, hasWordPress } from './apps'
import { describeCertificate } from './certificates'
import { deleteSandboxAddress, describeMail, saveSandboxAddress } from './email'
import { addSandboxKey, listSandboxKeys, removeSandboxKey } from './keys'
import { renderSiteLog } from './logs'
import type { SandboxModel, SandboxSite, SandboxSiteJob } from './model'
import { checkName, namesOf } from './names'
import { backupsOf, lastBackupsOf, readArchive } from './site-backups'
import { isRunningAt, linesOf } from './site-job-lines'
import { beginSiteJob } from './site-jobs'
import { describeSettings } from './site-settings'
import { describeStaging, tablesOf } from './staging'
import { nextMomentMs } from './timeline'
import { trafficOf } from './traffic'
import { cancelJob, onlyReads } from './turns'

export type SandboxSitesOptions = {
  /** Runs work on the model, one at a time, and stores the changed model. */
  visit: <T>(work: (machine: SandboxModel) => T) => Promise<T>
  /** The duration of one unit of work, milliseconds. A job has about 20 of them. */
  paceMs: number
  now: () => number
}

const maxNapMs = 500

export function createSandboxSites({ visit, paceMs, now }: SandboxSitesOptions): Sites {
  async function* follow(jobId: string, afterLine: number, signal: AbortSignal): AsyncGenerator<SiteJobLine> {
    let last = afterLine
    while (!signal.aborted) {
      const job = await visit(({ siteJobs }) => siteJobs.find(({ id }) => id === jobId))
      if (!job) {
        yield neverHeardOf(last + 1)
        return
      }
      const { due, nextMs } = dueLines(job, last, now())
      for (const line of due) {
        yield line
        last = line.line
      }
      if (nextMs === null) return
      await delay(Math.min(maxNapMs, Math.max(0, nextMs - now())), undefined, { signal }).catch(() => {})
    }
  }
  return {
    start: (jobId, work) =>
      visit((machine) => {
        if (machine.siteJobs.some(({ id }) => id === jobId)) return
        if (nextMomentMs(machine) !== null) throw new MachineFailure(problem('busy'))
        beginSiteJob(machine, jobId, work, { nowMs: now(), unitMs: paceMs })
      }),
    follow,
    cancel: (jobId) => visit((machine) => cancelJob(machine, jobId, now())),
    forget: (jobId) =>
      visit((machine) => {
        machine.siteJobs = machine.siteJobs.filter((job) => job.id !== jobId || !job.applied)
      }),
    facts: (sites, catalogue = []) =>
      visit((machine) => {
        const asked = new Set(sites.map(({ name }) => name))
        const here = machine.sites.filter(({ name }) => asked.has(name))
        return new Map(
          here.map((site) => {
            const app = catalogue.length > 0 ? { app: appOf(site) } : {}
            return [site.name, { ...factsOf(machine, site, now()), ...app }]
          }),
        )
      }),
    checkNames: (site) => visit((machine) => namesOf(requireHere(machine, site)).map(checkName)),
    readLog: (site, log) => visit((machine) => renderSiteLog(machine, requireHere(machine, site), log, now())),
    traffic: (site) => visit((machine) => trafficOf(requireHere(machine, site), now())),
    findApp: (site) => visit((machine) => describeApp(machine, requireHere(machine, site))),
    tables: (site) => visit((machine) => tablesOf(requireHere(machine, site))),
    mail: (site) => visit((machine) => describeMail(requireHere(machine, site))),
    saveAddress: (site, address) => visit((machine) => saveSandboxAddress(machine, requireIdle(machine, site, now()), address)),
    deleteAddress: (site, user) => visit((machine) => deleteSandboxAddress(requireIdle(machine, site, now()), user)),
    keys: (site) => visit((machine) => listSandboxKeys(requireHere(machine, site))),
    addKey: (site, key) => visit((machine) => addSandboxKey(requireHere(machine, site), key)),
    removeKey: (site, fingerprint) => visit((machine) => removeSandboxKey(requireHere(machine, site), fingerprint)),
    staging: (site) => visit((machine) => describeStaging(machine, requireHere(machine, site), now(), usedBytesOf(site.name, now()))),
    setDatabasePassword: (site) =>
      visit((machine) => (hasWordPress(requireHere(machine, site)) ? [`/home/${site.name}/public/wp-config.php`] : [])),
    listBackups: (site) => visit((machine) => backupsOf(machine, requireHere(machine, site))),
    deleteBackups: (site, names) =>
      visit((machine) => {
        const { domain } = requireHere(machine, site)
        machine.siteBackups = machine.siteBackups.filter((backup) => backup.domain !== domain || !names.includes(backup.name))
      }),
    claim: (owner, ids) =>
      visit((machine) => {
        for (const site of machine.sites) if (site.owner === '' && ids.includes(site.id)) site.owner = owner
      }),
    listLastBackups: () => visit(lastBackupsOf),
    deleteLastBackups: (names) =>
      visit((machine) => {
        machine.siteBackups = machine.siteBackups.filter(({ name, reason }) => reason !== 'delete' || !names.includes(name))
      }),
    async *readDownload(jobId, fromByte) {
      yield (await visit((machine) => readArchive(machine, jobId, now()))).subarray(fromByte)
    },
    removeDownload: (jobId) =>
      visit((machine) => {
        machine.downloads = machine.downloads.filter((download) => download.jobId !== jobId)
      }),
  }
}

/** The site while no job is changing one. */
function requireIdle(machine: SandboxModel, site: SiteOnHost, nowMs: number): SandboxSite {
  const isChange = (job: SandboxSiteJob) => !onlyReads(job.kind) && (job.startedAtMs <= nowMs || job.site.id === site.id)
  if (machine.siteJobs.some((job) => isChange(job) && isRunningAt(job, nowMs))) throw new MachineFailure(problem('busy'))
  return requireHere(machine, site)
}

function requireHere(machine: SandboxModel, site: SiteOnHost): SandboxSite {
  const present = machine.sites.find(({ name }) => name === site.name)
  if (present) return present
  throw new MachineFailure(problem('changed_meanwhile', { sentence: 'The site no longer exists on the server.' }))
}

/** A new site has a few megabytes, and grows by some kilobytes an hour. */
function usedBytesOf(name: string, nowMs: number): number {
  const chance = createHash('md5').update(name).digest().readUInt32BE()
  const hours = Math.floor(nowMs / 3_600_000) % 10_000
  return 2_000_000 + (chance % 900_000_000) + hours * 4096
}

function factsOf(machine: SandboxModel, site: SandboxSite, nowMs: number): SiteFacts {
  const { name, domain, ssl } = site
  const usedBytes = usedBytesOf(name, nowMs)
  const described = { certificate: describeCertificate(site, nowMs), settings: describeSettings(machine, site) }
  const [newest] = backupsOf(machine, site)
  const backupAt = newest ? new Date(newest.madeAt * 1000).toISOString() : ''
  return { usedBytes, answers: !domain.startsWith('down.'), ssl, mail: site.mail.on, backupAt, ...described }
}

function dueLines(job: Parameters<typeof linesOf>[0], after: number, nowMs: number): { due: SiteJobLine[]; nextMs: number | null } {
  const lines = linesOf(job)
  const due = lines.filter(({ line, atMs }) => line > after && atMs <= nowMs).map(({ atMs: _, ...line }) => line)
  return { due, nextMs: lines.find(({ atMs }) => atMs > nowMs)?.atMs ?? null }
}

function neverHeardOf(line: number): SiteJobLine {
  const error = 'The server never received this job. Nothing was changed.'
  return { line, step: '', progress: 0, status: 'failed', message: error, error }
}
