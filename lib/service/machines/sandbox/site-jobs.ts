/** A job for a site of a sandbox server as a function of time, so that it proceeds even while the service is stopped. */
import type { SiteWork } from '../sites'
import { appAfter, loginOf } from './apps'
import { orderCertificate } from './certificates'
import { copyOf, proofOf } from './copies'
import { settleMailPorts } from './email'
import type { SandboxModel, SandboxSiteJob } from './model'
import { restoreSettings } from './restored'
import { addBackup, addDownload, addFetched } from './site-backups'
import { findFailure, makesBackup } from './site-job-kinds'
import { isRunningAt } from './site-job-lines'
import { changeSettings, newSettings } from './site-settings'
import { copies, copyAfter, keptBy } from './staging'
import { slownessOf } from './timeline'
import { findTurn, onlyReads } from './turns'
import { isNewUpToDate } from './upgrade'

/** Begins a job, or lets it wait for its turn. Passwords are not stored, because nobody logs in to a sandbox server. */
export function beginSiteJob(
  machine: SandboxModel,
  id: string,
  work: SiteWork,
  { nowMs, unitMs }: { nowMs: number; unitMs: number },
): void {
  const turn = findTurn(machine, work, nowMs)
  const { id: siteId, name, domain, aliases } = work.site
  const present = machine.sites.find((site) => site.id === siteId)
  const ssl = work.kind === 'ssl' ? work.on : (present?.ssl ?? false)
  const orders = ssl && (work.kind === 'ssl' || (work.kind === 'names' && !work.later))
  const before = present?.settings ?? { ...newSettings, wwwRedirect: work.kind === 'create' && work.wwwRedirect }
  const settings = work.kind === 'settings' ? changeSettings(before, work.settings) : before
  const formerMail = present?.mail ?? { on: false, wasOn: false, addresses: [] }
  const mail = work.kind === 'email' ? { ...formerMail, on: work.on, wasOn: formerMail.wasOn || work.on } : formerMail
  const certificate = present?.certificate ?? null
  const copy = copyAfter(machine, work, nowMs)
  const staging = present?.staging ?? null
  const app = appAfter(machine, work)
  const upToDate = present?.upToDate ?? isNewUpToDate(domain)
  const keys = present?.keys ?? []
  const owner = present?.owner ?? (work.kind === 'create' ? work.owner : '')
  const kept = { ssl, certificate, settings, app, mail, keys, staging, owner, upToDate }
  const now = { id: siteId, name, domain, aliases: [...aliases], ...kept }
  const { site, ...restored } = restoreSettings(machine, work, now)
  machine.siteJobs.push({
    id,
    kind: work.kind,
    site: orders ? { ...site, certificate: orderCertificate(site, nowMs) } : site,
    backup: makesBackup(work),
    copy,
    fetched: work.kind === 'restore' && work.copy !== null ? work.backup : '',
    copies: (work.kind !== 'pull' && work.kind !== 'push') || copies(work.parts),
    kept: keptBy(machine, work, nowMs),
    isNew: copy !== null && machine.sites.every(({ id: other }) => other !== copy.id),
    orders,
    ...restored,
    owner: work.kind === 'create' || work.kind === 'delete' ? work.owner : '',
    revives: work.kind === 'create' && work.restored !== null,
    answer: answerOf(machine, id, work, ssl),
    ...turn,
    unitMs: unitMs * slownessOf[machine.temper],
    failure: findFailure(machine, work),
    cancelledAtMs: null,
    applied: false,
  })
}

/** Of the kinds whose answer does not follow from how they end. */
function answerOf(machine: SandboxModel, id: string, work: SiteWork, ssl: boolean): string {
  if (work.kind === 'app') return loginOf(work.app, work.site, ssl)
  if (work.kind === 'copy') return copyOf(machine, id, work)
  return work.kind === 'prove' ? proofOf(work) : ''
}

/** Applies the effect of each job that has ended by now. */
export function advanceSites(machine: SandboxModel, nowMs: number): void {
  for (const job of machine.siteJobs) {
    if (job.applied || isRunningAt(job, nowMs)) continue
    job.applied = true
    if (job.failure || job.cancelledAtMs !== null) continue
    keepCopies(machine, job, nowMs)
    if (onlyReads(job.kind)) continue
    machine.sites = machine.sites.filter(({ id }) => id !== job.site.id)
    if (job.kind !== 'delete') machine.sites.push(job.site)
    else machine.sites = machine.sites.filter(({ staging }) => staging?.of !== job.site.id)
    if (job.copy) machine.sites = [...machine.sites.filter(({ id }) => id !== job.copy?.id), job.copy]
    settleMailPorts(machine)
  }
}

/** The backups and archives that a job has made. */
function keepCopies(machine: SandboxModel, job: SandboxSiteJob, nowMs: number): void {
  const { kind, site, backup, fetched, owner, startedAtMs } = job
  if (kind === 'backup') addBackup(machine, site.domain, startedAtMs, 'manual')
  if (fetched !== '') addFetched(machine, site.domain, fetched)
  if (backup) addBackup(machine, site.domain, startedAtMs, kind === 'delete' || kind === 'push' ? kind : 'restore', owner)
  if (kind === 'download') addDownload(machine, job, nowMs)
}
