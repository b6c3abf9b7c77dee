/** The kinds of jobs for sites of a sandbox server: their steps, what they say at the end, and when they fail. */
import { describeProof } from '../proven-copy'
import type { SiteOnHost, SiteWork } from '../sites'
import { refuseApp } from './apps'
import { findLeftOut } from './certificates'
import { refuseCopy, refuseTarget } from './copies'
import { refuseEmail } from './email'
import type { SandboxModel, SandboxSite, SandboxSiteJob } from './model'
import { checkName } from './names'
import { backupNameOf, backupsFolder, backupsOf, downloadSizeOf } from './site-backups'
import { refuseSettings } from './site-settings'
import { addressOf, refuseParts } from './staging'

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

const installing: readonly Work[] = [
  ...checking,
  { step: 'Download', says: 'fetched the packages', cost: 4 },
  { step: 'Files', says: 'unpacked the packages beside the site', cost: 3 },
  { step: 'Install', says: 'created the tables and the administrator', cost: 4 },
  { step: 'Web server', says: 'the prepared folder is served', cost: 2 },
]

const mailing: readonly Work[] = [
  ...checking,
  { step: 'Mail programs', says: 'dovecot-core, opendkim and postsrsd are there', cost: 3 },
  { step: 'Addresses', says: 'wrote the addresses of the site', cost: 1 },
  { step: 'Mail server', says: 'restarted postfix.service', cost: 3 },
  { step: 'Firewall', says: 'the ports 25, 465 and 587 are open', cost: 2 },
]

const unmailing: readonly Work[] = [
  ...checking,
  { step: 'Addresses', says: 'wrote the addresses of the site', cost: 1 },
  { step: 'Mail server', says: 'reloaded postfix.service', cost: 3 },
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

const backingUp: readonly Work[] = [
  { step: 'Tidy up', says: 'deleted copies that were kept long enough', cost: 1 },
  { step: 'Backup', says: 'wrote the archive and its hash', cost: 6 },
  { step: 'Backup', says: 'unpacked the archive and loaded its dump', cost: 4 },
]

const backUpFirst = 'Backup of the present site'

const restoration: readonly Work[] = [
  { step: 'Check the backup', says: 'compared its hash and checked what is in it', cost: 3 },
  { step: backUpFirst, says: 'wrote the archive and its hash', cost: 6 },
  { step: 'Unpack', says: 'unpacked the files beside the live site', cost: 4 },
  { step: 'Load the database', says: 'loaded the dump beside the live database', cost: 4 },
  { step: 'Replace the site', says: 'The site was paused for 0.8 s.', cost: 2 },
]

const fetching: Work = { step: 'Fetch the copy', says: 'fetched the backup, which stays on the server', cost: 6 }

const revival = restoration.filter(({ step }) => step === 'Unpack' || step === 'Load the database' || step === 'Replace the site')

const archiving: readonly Work[] = [{ step: 'Archive', says: 'wrote the archive', cost: 8 }]

const proving: readonly Work[] = [
  { step: 'Proof', says: 'opened the repository', cost: 2 },
  { step: 'Proof', says: 'read the archive, and loaded its dump', cost: 6 },
]

const sending: readonly Work[] = [
  { step: 'Copy', says: 'opened the repository', cost: 2 },
  { step: 'Copy', says: 'sent what was new', cost: 6 },
]

/** Backups of a large site take long. */
const atItsSize = ({ domain }: SandboxSite, work: readonly Work[]): readonly Work[] =>
  domain.startsWith('large.') ? work.map((each) => (/backup$/i.test(each.step) ? { ...each, cost: each.cost * 40 } : each)) : work

type Refusal = NonNullable<SandboxSiteJob['failure']>

type Kind = {
  steps(job: SandboxSiteJob): readonly Work[]
  /** The message of the last line. */
  ending(site: SandboxSite, job: Pick<SandboxSiteJob, 'answer' | 'copies' | 'kept' | 'revives'>): string
  /** What the operation answers. */
  answer?(job: SandboxSiteJob): string | undefined
  /** The step at which the job will fail, and why; null if it will succeed. problem: it is refused before any change. */
  failure(machine: SandboxModel, work: SiteWork): Refusal | null
}

export const kinds: Readonly<Record<SiteWork['kind'], Kind>> = {
  create: {
    steps: ({ revives }) => (revives ? [...creation, ...revival] : creation),
    ending: ({ domain }, { revives }) => (revives ? `${domain} is restored from the last backup of a deleted site.` : 'The site is ready.'),
    failure: (machine, work) =>
      refuseTaken(machine, work.site) ?? refuseRevival(machine, work) ?? (work.site.domain.startsWith('fails.') ? failsAtDatabase : null),
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
    failure: (machine, work) => (work.kind === 'settings' ? refuseSettings(machine, work) : null),
  },
  app: {
    steps: () => installing,
    ending: ({ domain }) => `The app is installed on ${domain}.`,
    answer: (job) => job.answer,
    failure: (machine, work) => (work.kind === 'app' ? refuseApp(machine, work) : null),
  },
  email: {
    steps: ({ site }) => (site.mail.on ? mailing : unmailing),
    ending: ({ domain, mail }) => (mail.on ? `Email of ${domain} is on.` : `Email of ${domain} is off. Its addresses are kept.`),
    failure: (machine, work) => (work.kind === 'email' && work.on ? refuseEmail(machine) : null),
  },
  backup: {
    steps: ({ site }) => atItsSize(site, backingUp),
    ending: ({ domain }) => `A backup of ${domain} is made and verified.`,
    failure: (_, work) => (isFull(work) ? noRoomAt('Backup') : null),
  },
  restore: {
    steps: ({ backup, fetched }) => [
      ...(fetched === '' ? [] : [fetching]),
      ...restoration.filter(({ step }) => backup || step !== backUpFirst),
    ],
    ending: ({ domain }) => `${domain} is restored. The former site is kept for 24 hours.`,
    answer: ({ site }) => `/home/${site.name}/.replaced`,
    failure(machine, work) {
      if (work.kind !== 'restore') return null
      const fault = work.copy && refuseTarget(work.copy.target)
      if (fault) return { step: fetching.step, error: `The step “${fetching.step}” failed: ${fault}` }
      if (!work.copy && !backupsOf(machine, work.site).some(({ name }) => name === work.backup)) {
        const error = `There is no backup ${work.backup} of this site. Nothing was changed.`
        return { step: 'Check the backup', problem: 'unsuitable', error }
      }
      return isFull(work) ? noRoomAt(work.backupFirst ? backUpFirst : 'Unpack') : null
    },
  },
  download: {
    steps: () => archiving,
    ending: ({ domain }) => `The archive of ${domain} is ready to be downloaded.`,
    answer: (job) => String(downloadSizeOf(job)),
    failure: (_, work) => (isFull(work) ? noRoomAt('Archive') : null),
  },
  copy: {
    steps: () => sending,
    ending: ({ domain }) => `The newest backup of ${domain} is copied.`,
    answer: ({ answer }) => answer,
    failure: (machine, work) => (work.kind === 'copy' ? refuseCopy(machine, work) : null),
  },
  prove: {
    steps: () => proving,
    ending: ({ domain }, { answer }) => describeProof(domain, answer),
    answer: ({ answer }) => answer,
    failure: () => null,
  },
  pull: {
    steps: ({ isNew, copies }) => [...(isNew ? creation : naming), ...(copies ? copying : [])],
    ending: ({ domain }, { copies }) =>
      copies ? `staging.${domain} is a copy of ${domain} now.` : `staging.${domain} has a new password.`,
    answer: ({ copy }) => (copy ? addressOf(copy) : undefined),
    failure: refuseParts,
  },
  push: {
    steps: () => [...checking, ...pushing],
    ending: ({ domain }, { kept }) => `${domain} is what its staging copy was${exceptFor(kept)}.`,
    answer: ({ site, startedAtMs }) => backupNameOf(site.domain, startedAtMs, 'push'),
    failure: refuseParts,
  },
  delete: {
    steps: ({ site, backup }) => atItsSize(site, deletion).filter(({ step }) => backup || step !== 'Last backup'),
    ending: () => 'The site was deleted.',
    answer: (job) => (job.backup ? backupOf(job) : undefined),
    failure: (_, work) => (isFull(work) && makesBackup(work) ? noRoom : null),
  },
}

const exceptFor = (kept: number): string =>
  kept === 0 ? '' : `, except for ${kept} ${kept === 1 ? 'file' : 'files'} that changed on live since the pull`

/** Whether one is made before something else. */
export const makesBackup = (work: SiteWork): boolean =>
  (work.kind === 'delete' && work.backup) || (work.kind === 'restore' && work.backupFirst) || work.kind === 'push'

const isFull = ({ site }: SiteWork): boolean => site.domain.startsWith('full.')

const noRoomAt = (step: string): Refusal => ({
  step,
  problem: 'unsuitable',
  error: 'There is no room for this on the server. Nothing was changed.',
})

const noRoom: Refusal = {
  step: 'Last backup',
  problem: 'unsuitable',
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

function refuseRevival(machine: SandboxModel, work: SiteWork): Refusal | null {
  if (work.kind !== 'create' || !work.restored) return null
  const { backup } = work.restored
  if (machine.siteBackups.some(({ name, reason }) => name === backup && reason === 'delete')) return null
  const error = `There is no last backup ${backup} on this server any longer. Nothing was changed.`
  return { step: 'Check the server', problem: 'unsuitable', error }
}

/** Why the job will fail; null if it will succeed. */
export function findFailure(machine: SandboxModel, work: SiteWork): Refusal | null {
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

const backupOf = ({ site, startedAtMs }: SandboxSiteJob): string => `${backupsFolder}/${backupNameOf(site.domain, startedAtMs, 'delete')}`
