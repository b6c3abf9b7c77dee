/** The problems on Home: connections, servers, jobs and batches, the most urgent first. */
import 'server-only'
import type { Problem } from '@/lib/contract/problem'
import { findBatchKind } from '@/lib/portal/batches/kinds'
import type { UnsettledBatch } from '@/lib/portal/batches/unsettled'
import { nameOfKind } from '@/lib/portal/jobs/title'
import type { JobView } from '@/lib/portal/jobs/view'
import { toReadableDomain, toReadableName } from '@/lib/text/idn'
import type { FullDisk } from '../history/full-disks'
import { type AttentionItem, groupItems, type SingleItem, single } from './attention-item'
import { diskItems, findingItems, installItems, type NamedFinding, type NamedServer } from './attention-servers'
import { updatesMs } from './upkeep-limits'

type Known = {
  /** workedAt: when the connection last worked, ISO. */
  connections: readonly { id: string; label: string; state: string; problem: Problem | null; workedAt: string | null }[]
  /** The findings by server name, without servers whose state is unknown. */
  findings: readonly NamedFinding[]
  /** All servers that are not installed or whose install failed, by name. */
  servers: readonly NamedServer[]
  /** Newest first. */
  jobs: readonly JobView[]
  /** Newest first. */
  batches: readonly UnsettledBatch[]
  /** The states of the servers that the jobs concern, by id; deleted servers are absent. */
  states: ReadonlyMap<string, string>
  /** The fullest first. */
  disks: readonly FullDisk[]
  /** Of Gatehouse itself; empty if all is well, and for others than owners. */
  backups: readonly AttentionItem[]
  /** Whether the reader may change servers. */
  mayChange: boolean
  /** ms since 1970 */
  now: number
}

/** After this time a failure is no longer listed. */
export const oldJobMs = 7 * 86_400_000

/** The most urgent first: broken, then interrupted, then not started. */
export function findAttention(known: Known): AttentionItem[] {
  const jobs = unsettledJobs(known)
  const told = new Set(jobs.filter(isInstall).flatMap(({ serverId }) => serverId ?? []))
  const busy = new Set(known.jobs.filter((job) => isInstall(job) && job.state === 'running').flatMap(({ serverId }) => serverId ?? []))
  const items = [
    ...known.connections.flatMap(connectionItem),
    ...known.backups,
    ...findingItems(known.findings, 'unreachable'),
    ...jobItems(jobs),
    ...known.batches.map(batchItem),
    ...diskItems(known.disks),
    ...findingItems(known.findings, 'failed_units'),
    ...installItems(
      known.servers.filter(({ state, id }) => state === 'failed' && !told.has(id)),
      'failed',
      known.mayChange,
    ),
    ...findingItems(known.findings, 'failing_certificates'),
    ...findingItems(known.findings, 'foreign_links'),
    ...findingItems(known.findings, 'firewall_off'),
    ...findingItems(known.findings, 'reboot_required'),
    ...findingItems(known.findings, 'outdated_sites'),
    // Servers install them at night, so only those that did not are listed.
    ...findingItems(
      known.findings.filter(({ since }) => known.now - Date.parse(since) >= updatesMs),
      'security_updates',
    ),
    ...installItems(
      known.servers.filter(({ state, id }) => state === 'new' && !told.has(id) && !busy.has(id)),
      'new',
      known.mayChange,
    ),
  ]
  return items.sort((a, b) => weights[a.tone] - weights[b.tone])
}

const weights = { danger: 0, warn: 1, info: 2 }

function connectionItem({ id, label, state, problem, workedAt }: Known['connections'][number]): AttentionItem[] {
  const base = {
    ...({ tone: 'danger', sinceLabel: 'Last worked', href: '/keys', action: 'View connections' } as const),
    key: `connection ${id}`,
    title: label,
    since: workedAt,
  }
  if (problem?.code === 'key_frozen') return [single({ ...base, tone: 'warn', word: 'Frozen', says: problem.sentence })]
  if (state === 'rejected')
    return [single({ ...base, word: 'Key rejected', says: 'The service no longer accepts this API key. Replace the key.' })]
  if (state === 'locked') return [single({ ...base, word: 'Key locked', says: 'The stored API key cannot be decrypted. Replace the key.' })]
  if (problem === null) return []
  return [single({ ...base, word: 'No answer', says: `${problem.sentence} Retrying automatically. The state of its servers is unknown.` })]
}

const isInstall = ({ operation }: JobView): boolean => operation === 'servers.install'

/** The newest install of each server and other work of each name, for a week, unless the server is gone or has been installed since. */
function unsettledJobs({ jobs, states, now }: Known): JobView[] {
  const seen = new Set<string>()
  return jobs.filter((job) => {
    const work = `${job.operation ?? job.id} ${isInstall(job) ? (job.serverId ?? job.targetName) : job.targetName}`
    if (seen.has(work)) return false
    seen.add(work)
    if (job.state === 'running' || job.state === 'done' || job.state === 'cancelled') return false
    const state = job.serverId === null ? undefined : states.get(job.serverId)
    if (state === undefined || (state === 'ready' && isInstall(job))) return false
    return now - Date.parse(job.endedAt ?? job.startedAt) < oldJobMs
  })
}

const jobWords = { failed: 'Failed', interrupted: 'Interrupted', unknown: 'Unknown' } as const

/** What failed may be quoted from a program's output, which has no full stop, and ends with a mark of its direction. */
const endSentence = (text: string): string => (/[.!?…]\u2069?$/.test(text) ? text : `${text}.`)

/** Those of one operation that ended alike share a line. */
function jobItems(jobs: readonly JobView[]): AttentionItem[] {
  const groups = new Map<string, JobView[]>()
  for (const job of jobs) {
    const cause = `${job.operation ?? job.id} ${job.state}`
    groups.set(cause, [...(groups.get(cause) ?? []), job])
  }
  return [...groups].flatMap(([cause, group]) => groupJobs(cause, group))
}

function groupJobs(cause: string, jobs: readonly JobView[]): AttentionItem[] {
  const [first] = jobs
  const operation = first?.operation ?? null
  const singles = jobs.map((job) => jobItem(job))
  if (first === undefined || operation === null || jobs.length === 1) {
    return groupItems(singles, { key: cause, noun: 'job', says: '', href: '/jobs', batch: null })
  }
  const alike = singles.every(({ says }) => says === singles[0]?.says)
  const says = `${nameOfKind(operation)}. ${alike ? singles[0]?.says : 'The reasons differ: the page of each job has its own.'}`
  // Under the names of the servers and sites, because the title says what the jobs are.
  const named = singles.map((item, place) => ({ ...item, title: toReadableName(jobs[place]?.targetName ?? '') }))
  const href = `/jobs?kind=${operation}&outcome=${first.state}`
  return groupItems(named, { key: `group ${cause}`, noun: 'job', says, href, batch: repeatOf(operation) })
}

/** Only what a batch can do without asking for more, and without harm if it was done already. */
function repeatOf(operation: string): { operation: string; noun: 'server' | 'site' } | null {
  const kind = findBatchKind(operation)
  return kind?.harmless && kind.fields.length === 0 ? { operation, noun: kind.targets } : null
}

const targetOf = ({ operation, serverId, siteId, repeatable }: JobView): string | null => {
  if (!repeatable) return null
  return findBatchKind(operation ?? '')?.targets === 'site' ? siteId : serverId
}

function jobItem(job: JobView): SingleItem {
  const state = job.state === 'failed' || job.state === 'interrupted' ? job.state : 'unknown'
  const says = {
    failed: endSentence(job.problem?.sentence || 'The job failed.'),
    interrupted:
      job.problem?.code === 'key_frozen'
        ? job.problem.sentence
        : 'The connection to the service broke. The job may still be running on the server.',
    unknown: 'The outcome is unknown. Check the server before you try again.',
  }
  return {
    key: `job ${job.id}`,
    tone: state === 'failed' ? 'danger' : 'warn',
    word: jobWords[state],
    title: job.title,
    says: says[state],
    note: '',
    since: job.endedAt ?? job.heardAt,
    sinceLabel: 'Ended',
    href: `/jobs/${job.id}`,
    action: 'View job',
    targetId: targetOf(job),
  }
}

function batchItem({ batch, failed, unknown, first }: UnsettledBatch): AttentionItem {
  const all = Object.values(batch.counts).reduce((sum, count) => sum + count, 0)
  const reason = first && failed === 1 ? ` ${toReadableDomain(first.name)}: ${endSentence(first.reason || 'it failed')}` : ''
  return single({
    key: `batch ${batch.id}`,
    tone: failed > 0 ? 'danger' : 'warn',
    word: failed > 0 ? jobWords.failed : jobWords.unknown,
    title: batch.title,
    says:
      failed > 0 ? `${failed} of ${all} failed.${reason}` : `The outcome of ${unknown} of ${all} is unknown. Check before you try again.`,
    since: batch.endedAt,
    sinceLabel: 'Ended',
    href: `/jobs/batches/${batch.id}`,
    action: 'View batch',
  })
}
