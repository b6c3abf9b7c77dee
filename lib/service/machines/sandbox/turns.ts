/** When a job for a site of a sandbox server begins: as on a real one, two that need the same run one after the other. */
import { problem } from '@/lib/contract/problem'
import { MachineFailure } from '../machine'
import type { SiteWork } from '../sites'
import type { SandboxModel, SandboxSiteJob } from './model'
import { endOf, isRunningAt, linesOf } from './site-job-lines'

type Kind = SiteWork['kind']
type Needs = { kind: Kind; site: { id: string } }

const maxJobs = 20

/** In the words of a real server. */
const inWords: Readonly<Record<Kind, string>> = {
  create: 'the creation',
  names: 'the change of the names',
  ssl: 'the change of SSL',
  settings: 'the change of the settings',
  app: 'the installation of an app',
  email: 'the change of email',
  backup: 'the backup',
  restore: 'the restore',
  download: 'the archive',
  copy: 'the copy',
  prove: 'the proof of a copy',
  pull: 'the pull',
  push: 'the push',
  delete: 'the deletion',
}

const describe = ({ kind, site }: SandboxSiteJob): string =>
  `${inWords[kind]} ${kind === 'app' ? 'on' : 'of'} ${site.domain}${kind === 'download' ? ' for a download' : ''}`

const usesCopies = (kind: Kind): boolean => kind === 'copy' || kind === 'prove'

/** What archives a site runs beside changes of other sites. */
export const onlyReads = (kind: Kind): boolean => kind === 'backup' || kind === 'download' || usesCopies(kind)

/** What jobs of several sites need one after the other. */
const shared = (kind: Kind): string => (usesCopies(kind) ? 'copies' : onlyReads(kind) ? 'archives' : 'changes')

const needSame = (one: Needs, other: Needs): boolean => one.site.id === other.site.id || shared(one.kind) === shared(other.kind)

/** What a job does from then on is not taken back. With others, that is only their end. */
const lastSteps: Partial<Record<Kind, string>> = {
  names: 'Web server',
  ssl: 'Web server',
  app: 'Web server',
  restore: 'Replace the site',
  pull: 'Exchange',
  push: 'Exchange',
  delete: 'Delete',
}

export function cancelJob(machine: SandboxModel, jobId: string, nowMs: number): 'cancelled' | 'ended' | 'late' {
  const job = machine.siteJobs.find(({ id }) => id === jobId)
  if (!job || !isRunningAt(job, nowMs)) return 'ended'
  if (job.cancelledAtMs !== null) return 'cancelled'
  const last = lastSteps[job.kind]
  if (linesOf(job).some(({ step, atMs }) => step === last && atMs <= nowMs)) return 'late'
  job.cancelledAtMs = nowMs
  for (const waiting of machine.siteJobs) if (waiting.startedAtMs > nowMs && waiting !== job) moveUp(machine, waiting, nowMs)
  return 'cancelled'
}

/** What has been said stays. */
function moveUp(machine: SandboxModel, waiting: SandboxSiteJob, nowMs: number): void {
  const before = machine.siteJobs.slice(0, machine.siteJobs.indexOf(waiting))
  const { startedAtMs, waits } = findTurn({ ...machine, siteJobs: before }, waiting, nowMs)
  const said = waiting.waits.filter(({ atMs }) => atMs <= nowMs)
  const news = waits.filter(({ text }) => text !== said.at(-1)?.text)
  Object.assign(waiting, { startedAtMs, waits: [...said, ...news] })
}

/** Throws MachineFailure busy if too many jobs wait. */
export function findTurn(machine: SandboxModel, work: Needs, nowMs: number): Pick<SandboxSiteJob, 'startedAtMs' | 'waits'> {
  const open = machine.siteJobs.filter((job) => isRunningAt(job, nowMs))
  if (open.length >= maxJobs) throw new MachineFailure(problem('busy'))
  const earlier = open.filter((job) => needSame(job, work)).sort((one, other) => endOf(one) - endOf(other))
  const waits = earlier.map((job, index) => ({
    atMs: index === 0 ? nowMs : endOf(earlier[index - 1] ?? job),
    text: `Waits for ${describe(job)}`,
  }))
  return { startedAtMs: Math.max(nowMs, ...earlier.map(endOf)), waits }
}
