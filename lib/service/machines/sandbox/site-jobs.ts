/** A job for a site of a sandbox server as a function of time, so that it proceeds even while the service is stopped. */
import type { SiteJobLine, SiteWork } from '../sites'
import { findLeftOut, orderCertificate } from './certificates'
import type { SandboxModel, SandboxSite, SandboxSiteJob } from './model'
import { checkName } from './names'
import { slownessOf } from './timeline'

type Work = { step: string; says: string; cost: number }

const creation: readonly Work[] = [
  { step: 'Check the server', says: 'apache2ctl configtest: Syntax OK', cost: 2 },
  { step: 'User and folders', says: 'created the user and its folders', cost: 3 },
  { step: 'User and folders', says: 'restricted the user to SFTP in its own folder', cost: 2 },
  { step: 'PHP', says: 'wrote the pool and started it', cost: 4 },
  { step: 'Database', says: 'created the database and its user', cost: 4 },
  { step: 'Web server', says: 'apache2ctl configtest: Syntax OK', cost: 3 },
  { step: 'Web server', says: 'reloaded apache2.service', cost: 2 },
]

const deletion: readonly Work[] = [
  { step: 'Check the server', says: 'apache2ctl configtest: Syntax OK', cost: 2 },
  { step: 'Last backup', says: 'wrote the last backup', cost: 6 },
  { step: 'Web server', says: 'reloaded apache2.service', cost: 4 },
  { step: 'PHP', says: 'stopped the pool', cost: 2 },
  { step: 'Database', says: 'dropped the database and its user', cost: 3 },
  { step: 'User and folders', says: 'deleted the user and its folders', cost: 3 },
]

const checking: readonly Work[] = [{ step: 'Check the server', says: 'apache2ctl configtest: Syntax OK', cost: 2 }]

const naming: readonly Work[] = [...checking, { step: 'Web server', says: 'reloaded apache2.service', cost: 3 }]

const ordering: readonly Work[] = [
  { step: 'Check the names', says: 'asked for each name over all its addresses', cost: 3 },
  { step: 'Certificate', says: 'the certificate authority issued the certificate', cost: 6 },
  { step: 'Web server', says: 'reloaded apache2.service', cost: 3 },
]

function workOf({ kind, backup, orders }: SandboxSiteJob): readonly Work[] {
  switch (kind) {
    case 'create':
      return creation
    case 'names':
      return orders ? [...naming, ...ordering] : naming
    case 'ssl':
      return orders ? [...checking, ...ordering] : naming
    case 'delete':
      return deletion.filter(({ step }) => backup || step !== 'Last backup')
  }
}

function endingOf({ kind, site }: SandboxSiteJob): string {
  switch (kind) {
    case 'create':
      return 'The site is ready.'
    case 'names':
      return 'The names of the site are saved.'
    case 'ssl':
      return site.ssl ? `SSL of ${site.domain} is on.${leavesOut(site)}` : `SSL of ${site.domain} is off. Its certificate is kept.`
    case 'delete':
      return 'The site was deleted.'
  }
}

function leavesOut(site: SandboxSite): string {
  const left = findLeftOut(site)
  return left.length === 0 ? '' : ` The certificate leaves out ${left.map(({ name }) => name).join(', ')}.`
}

/** The step at which the job will fail, and why; null if it will succeed. problem: it is refused before any change. */
function findFailure(machine: SandboxModel, work: SiteWork): SandboxSiteJob['failure'] {
  const { domain, id, aliases } = work.site
  if (machine.packages.apache2 === undefined) {
    return { step: 'Check the server', problem: 'not_installed', error: 'There is no web server here. Install the server first.' }
  }
  if (work.kind === 'delete') {
    const full = domain.startsWith('full.') && work.backup
    return full ? { step: 'Last backup', problem: 'unsuitable', error: 'There is no room for a last backup. Nothing was deleted.' } : null
  }
  if (work.kind === 'ssl') {
    const { result, reason } = checkName(domain)
    return work.on && result === 'blocked' ? { step: 'Check the names', problem: 'unsuitable', error: reason } : null
  }
  const served = machine.sites.filter((site) => site.id !== id).flatMap((site) => [site.domain, ...site.aliases])
  const refused = [domain, ...aliases].find((name) => served.includes(name) || name.startsWith('refused.'))
  if (refused !== undefined) {
    return {
      step: 'Check the server',
      problem: 'unsuitable',
      error: `The web server already has a virtual host for ${refused}. Nothing was changed.`,
    }
  }
  if (work.kind === 'names' || !domain.startsWith('fails.')) return null
  return { step: 'Database', error: 'The step “Database” failed: ERROR 1045 (28000): Access denied. What was created has been removed.' }
}

/** Begins a job. Passwords are not stored, because nobody logs in to a sandbox server. */
export function beginSiteJob(
  machine: SandboxModel,
  id: string,
  work: SiteWork,
  { nowMs, unitMs }: { nowMs: number; unitMs: number },
): void {
  const { id: siteId, name, domain, aliases } = work.site
  const present = machine.sites.find((site) => site.id === siteId)
  const ssl = work.kind === 'ssl' ? work.on : (present?.ssl ?? false)
  const orders = ssl && (work.kind === 'ssl' || (work.kind === 'names' && !work.later))
  const site = { id: siteId, name, domain, aliases: [...aliases], ssl, certificate: present?.certificate ?? null }
  machine.siteJobs.push({
    id,
    kind: work.kind,
    site: orders ? { ...site, certificate: orderCertificate(site, nowMs) } : site,
    backup: work.kind === 'delete' && work.backup,
    orders,
    startedAtMs: nowMs,
    unitMs: unitMs * slownessOf[machine.temper],
    failure: findFailure(machine, work),
    applied: false,
  })
}

export type TimedLine = SiteJobLine & { atMs: number }

/** All lines of a job, each with the time at which it is written. The last one ends the job. */
export function linesOf(job: SandboxSiteJob): TimedLine[] {
  const work = workOf(job)
  const total = work.reduce((sum, { cost }) => sum + cost, 0)
  const lines: TimedLine[] = []
  let units = 0
  const say = (said: Omit<SiteJobLine, 'line'>) =>
    lines.push({ line: lines.length + 1, ...said, atMs: job.startedAtMs + units * job.unitMs })
  for (const { step, says, cost } of work) {
    const progress = Math.floor((100 * units) / total)
    units += cost
    if (step === job.failure?.step) {
      const { error, problem } = job.failure
      say({ step, progress, status: 'failed', message: error, error, ...(problem && { problem }) })
      return lines
    }
    say({ step, progress, status: 'running', message: says })
  }
  const message = endingOf(job)
  say({ step: work.at(-1)?.step ?? '', progress: 100, status: 'done', message, ...(job.backup && { backup: backupOf(job) }) })
  return lines
}

const backupOf = ({ site, startedAtMs }: SandboxSiteJob): string =>
  `/var/backups/gatehouse-sites/${site.domain}-${new Date(startedAtMs).toISOString().slice(0, 19).replace(/\D/g, '')}.tar.gz`

export const isRunningAt = (job: SandboxSiteJob, nowMs: number): boolean => (linesOf(job).at(-1)?.atMs ?? 0) > nowMs

/** Applies the effect of each job that has ended by now. */
export function advanceSites(machine: SandboxModel, nowMs: number): void {
  for (const job of machine.siteJobs) {
    if (job.applied || isRunningAt(job, nowMs)) continue
    job.applied = true
    if (job.failure) continue
    machine.sites = machine.sites.filter(({ id }) => id !== job.site.id)
    if (job.kind !== 'delete') machine.sites.push(job.site)
  }
}
