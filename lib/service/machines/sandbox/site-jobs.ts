/** A job for a site of a sandbox server as a function of time, so that it proceeds even while the service is stopped. */
import type { SiteJobLine, SiteOnHost, SiteWork } from '../sites'
import { findLeftOut, orderCertificate } from './certificates'
import type { SandboxModel, SandboxSite, SandboxSiteJob } from './model'
import { checkName } from './names'
import { newSettings, refuseSettings } from './site-settings'
import { addressOf, copyAfter, refuseParts } from './staging'
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
  { step: 'Delete', says: 'reloaded apache2.service', cost: 4 },
  { step: 'Delete', says: 'stopped the pool', cost: 2 },
  { step: 'Delete', says: 'dropped the database and its user', cost: 3 },
  { step: 'Delete', says: 'deleted the user and its folders', cost: 3 },
]

const checking: readonly Work[] = [{ step: 'Check the server', says: 'apache2ctl configtest: Syntax OK', cost: 2 }]

const naming: readonly Work[] = [...checking, { step: 'Web server', says: 'reloaded apache2.service', cost: 3 }]

const setting: readonly Work[] = [
  ...checking,
  { step: 'PHP', says: 'wrote the pool and reloaded it', cost: 3 },
  { step: 'Web server', says: 'reloaded apache2.service', cost: 3 },
]

const copying: readonly Work[] = [
  { step: 'Files', says: 'the files are ready', cost: 4 },
  { step: 'Database', says: 'the tables are ready', cost: 4 },
  { step: 'Addresses', says: 'the addresses are changed', cost: 3 },
  { step: 'Exchange', says: 'renamed the tables and exchanged the folders', cost: 2 },
]

const pushing: readonly Work[] = [{ step: 'Backup', says: 'wrote the backup', cost: 4 }, ...copying]

const ordering: readonly Work[] = [
  { step: 'Check the names', says: 'asked for each name over all its addresses', cost: 3 },
  { step: 'Certificate', says: 'the certificate authority issued the certificate', cost: 6 },
  { step: 'Web server', says: 'reloaded apache2.service', cost: 3 },
]

type Refusal = NonNullable<SandboxSiteJob['failure']>

type Kind = {
  steps(job: SandboxSiteJob): readonly Work[]
  /** The message of the last line. */
  ending(site: SandboxSite): string
  /** What the operation answers. */
  answer?(job: SandboxSiteJob): string | undefined
  /** The step at which the job will fail, and why; null if it will succeed. problem: it is refused before any change. */
  failure(machine: SandboxModel, work: SiteWork): Refusal | null
}

const kinds: Readonly<Record<SiteWork['kind'], Kind>> = {
  create: {
    steps: () => creation,
    ending: () => 'The site is ready.',
    failure: (machine, { site }) => refuseTaken(machine, site) ?? (site.domain.startsWith('fails.') ? failsAtDatabase : null),
  },
  names: {
    steps: ({ orders }) => (orders ? [...naming, ...ordering] : naming),
    ending: () => 'The names of the site are saved.',
    failure: (machine, { site }) => refuseTaken(machine, site),
  },
  ssl: {
    steps: ({ orders }) => (orders ? [...checking, ...ordering] : naming),
    ending: (site) =>
      site.ssl ? `SSL of ${site.domain} is on.${leavesOut(site)}` : `SSL of ${site.domain} is off. Its certificate is kept.`,
    failure(_, work) {
      const { result, reason } = checkName(work.site.domain)
      const blocked = work.kind === 'ssl' && work.on && result === 'blocked'
      return blocked ? { step: 'Check the names', problem: 'unsuitable', error: reason } : null
    },
  },
  settings: {
    steps: () => setting,
    ending: ({ domain }) => `The settings of ${domain} are saved.`,
    failure: (machine, work) => (work.kind === 'settings' ? refuseSettings(machine, work.settings) : null),
  },
  pull: {
    steps: ({ isNew }) => [...(isNew ? creation : checking), ...copying],
    ending: ({ domain }) => `staging.${domain} is a copy of ${domain} now.`,
    answer: ({ copy }) => (copy ? addressOf(copy) : undefined),
    failure: refuseParts,
  },
  push: {
    steps: () => [...checking, ...pushing],
    ending: ({ domain }) => `${domain} is what its staging copy was.`,
    answer: (job) => backupOf(job).split('/').at(-1),
    failure: refuseParts,
  },
  delete: {
    steps: ({ backup }) => deletion.filter(({ step }) => backup || step !== 'Last backup'),
    ending: () => 'The site was deleted.',
    answer: (job) => (job.backup ? backupOf(job) : undefined),
    failure: (_, work) => (work.site.domain.startsWith('full.') && makesBackup(work) ? noRoom : null),
  },
}

const makesBackup = (work: SiteWork): boolean => work.kind === 'delete' && work.backup

const noRoom: Refusal = {
  ...{ step: 'Last backup', problem: 'unsuitable' },
  error: 'There is no room for a last backup. Nothing was deleted.',
}

const failsAtDatabase: Refusal = {
  step: 'Database',
  error: 'The step “Database” failed: ERROR 1045 (28000): Access denied. What was created has been removed.',
}

function leavesOut(site: SandboxSite): string {
  const left = findLeftOut(site)
  return left.length === 0 ? '' : ` The certificate leaves out ${left.map(({ name }) => name).join(', ')}.`
}

function findFailure(machine: SandboxModel, work: SiteWork): Refusal | null {
  if (machine.packages.apache2 !== undefined) return kinds[work.kind].failure(machine, work)
  return { step: 'Check the server', problem: 'not_installed', error: 'There is no web server here. Install the server first.' }
}

function refuseTaken(machine: SandboxModel, { id, domain, aliases }: SiteOnHost): Refusal | null {
  const served = machine.sites.filter((site) => site.id !== id).flatMap((site) => [site.domain, ...site.aliases])
  const refused = [domain, ...aliases].find((name) => served.includes(name) || name.startsWith('refused.'))
  if (refused === undefined) return null
  const error = `The web server already has a virtual host for ${refused}. Nothing was changed.`
  return { step: 'Check the server', problem: 'unsuitable', error }
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
  const settings = work.kind === 'settings' ? work.settings : (present?.settings ?? newSettings)
  const copy = copyAfter(machine, work, nowMs)
  const staging = present?.staging ?? null
  const site = { id: siteId, name, domain, aliases: [...aliases], ssl, certificate: present?.certificate ?? null, settings, staging }
  machine.siteJobs.push({
    id,
    kind: work.kind,
    site: orders ? { ...site, certificate: orderCertificate(site, nowMs) } : site,
    backup: makesBackup(work),
    copy,
    isNew: copy !== null && machine.sites.every(({ id: other }) => other !== copy.id),
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
  const { steps, ending, answer } = kinds[job.kind]
  const work = steps(job)
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
  const answered = answer?.(job)
  const last = { step: work.at(-1)?.step ?? '', progress: 100, status: 'done', message: ending(job.site) } as const
  say({ ...last, ...(answered !== undefined && { answer: answered }) })
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
    else machine.sites = machine.sites.filter(({ staging }) => staging?.of !== job.site.id)
    if (job.copy) machine.sites = [...machine.sites.filter(({ id }) => id !== job.copy?.id), job.copy]
  }
}
