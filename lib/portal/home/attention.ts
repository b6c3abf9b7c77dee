/** What needs somebody's attention: connections that do not answer, servers not ready or nearly full, work that did not end well. */
import 'server-only'
import type { Problem } from '@/lib/contract/problem'
import type { FullDisk } from '../history/full-disks'
import type { JobView } from '../jobs/view'

/** key: stable while the same thing goes on. tone: how pressing. href and action: where it is looked after, in a verb. */
export type AttentionItem = {
  key: string
  tone: 'danger' | 'warn' | 'info'
  /** One word for the chip. */
  word: string
  title: string
  says: string
  href: string
  action: string
}

type Known = {
  connections: readonly { id: string; label: string; state: string; problem: Problem | null }[]
  /** Failed and not installed servers, by name; there may be more than stand here. */
  servers: readonly { id: string; name: string; state: string }[]
  /** How many servers are in those states in all. */
  counts: { failed: number; fresh: number }
  /** Newest first. */
  jobs: readonly JobView[]
  /** The state of each server those jobs are about, by id; what is gone is not in it. */
  states: ReadonlyMap<string, string>
  /** The fullest first. */
  disks: readonly FullDisk[]
  /** ms since 1970 */
  now: number
}

/** So many servers are named one by one; what is beyond is one line with its count. */
export const namedServers = 4
const oldJobMs = 7 * 86_400_000

/** The most pressing first: what is broken, what broke off, what waits to be begun. */
export function findAttention(known: Known): AttentionItem[] {
  const jobs = unsettledJobs(known)
  const told = new Set(jobs.flatMap(({ serverId }) => serverId ?? []))
  const failed = known.servers.filter(({ state, id }) => state === 'failed' && !told.has(id))
  const fresh = known.servers.filter(({ state, id }) => state === 'new' && !told.has(id))
  const toldFailed = known.servers.filter(({ state, id }) => state === 'failed' && told.has(id)).length
  const busy = known.jobs.filter(({ state, serverId }) => state === 'running' && serverId !== null).map(({ serverId }) => serverId)
  const waiting = fresh.filter(({ id }) => !busy.includes(id))
  const items = [
    ...known.connections.flatMap(connectionItem),
    ...jobs.map(jobItem),
    ...known.disks.map(diskItem),
    ...serverItems(failed, known.counts.failed - toldFailed, failedItem, 'Install failed', 'danger'),
    ...serverItems(waiting, known.counts.fresh - (fresh.length - waiting.length), freshItem, 'Not installed', 'info'),
  ]
  return items.sort((a, b) => weights[a.tone] - weights[b.tone])
}

const weights = { danger: 0, warn: 1, info: 2 }

function connectionItem({ id, label, state, problem }: Known['connections'][number]): AttentionItem[] {
  const base = { key: `connection ${id}`, href: '/keys', action: 'Look at the keys' }
  if (state === 'rejected')
    return [{ ...base, tone: 'danger', word: 'Key refused', title: label, says: 'The service no longer accepts this key. Replace it.' }]
  if (state === 'locked')
    return [{ ...base, tone: 'danger', word: 'Key locked', title: label, says: 'The stored key cannot be opened. Replace it.' }]
  if (problem === null) return []
  return [{ ...base, tone: 'danger', word: 'No answer', title: label, says: `${problem.sentence} It is asked again by itself.` }]
}

/** Of each piece of work only the newest try counts, for a week, unless its server is gone or came to be installed after all. */
function unsettledJobs({ jobs, states, now }: Known): JobView[] {
  const seen = new Set<string>()
  return jobs.filter((job) => {
    const work = `${job.operation} ${job.serverId ?? job.targetName}`
    if (seen.has(work)) return false
    seen.add(work)
    if (job.state === 'running' || job.state === 'done') return false
    const state = job.serverId === null ? undefined : states.get(job.serverId)
    if (state === undefined || (state === 'ready' && job.operation === 'servers.install')) return false
    return now - Date.parse(job.endedAt ?? job.startedAt) < oldJobMs
  })
}

const jobWords = { failed: 'Failed', interrupted: 'Interrupted', unknown: 'Unknown' } as const

function jobItem(job: JobView): AttentionItem {
  const state = job.state === 'failed' || job.state === 'interrupted' ? job.state : 'unknown'
  const says = {
    failed: job.problem?.sentence || 'It did not go through.',
    interrupted: 'The line to the service broke. The server may well be going on by itself.',
    unknown: 'How this ended is not known. Look before you try it again.',
  }
  return {
    key: `job ${job.id}`,
    tone: state === 'failed' ? 'danger' : 'warn',
    word: jobWords[state],
    title: job.operation === 'servers.install' ? `Install ${job.targetName}` : `${job.says.replace(/\.$/, '')} ${job.targetName}`,
    says: says[state],
    href: `/jobs/${job.id}`,
    action: 'Look at the job',
  }
}

// So full, or so soon, that it does not wait until tomorrow.
const [pressingShare, pressingDays] = [0.95, 2]

function diskItem({ id, name, share, days }: FullDisk): AttentionItem {
  const when = days === null ? '' : ` At the current rate it will be full in ${days < 2 ? 'about a day' : `about ${days} days`}.`
  return {
    key: `disk ${id}`,
    tone: share >= pressingShare || (days !== null && days <= pressingDays) ? 'danger' : 'warn',
    word: share >= pressingShare ? 'Disk full' : 'Disk full soon',
    title: name,
    // Rounded down: what still has room is not said to have none.
    says: `${Math.floor(share * 100)} % of its disk is in use.${when}`,
    href: `/servers/${id}`,
    action: 'Look at the server',
  }
}

type NamedServer = Known['servers'][number]

const failedItem = ({ id, name }: NamedServer): AttentionItem => ({
  key: `server ${id}`,
  tone: 'danger',
  word: 'Install failed',
  title: name,
  says: 'The install page shows the line that failed.',
  href: `/servers/${id}/install`,
  action: 'Look at the install',
})

const freshItem = ({ id, name }: NamedServer): AttentionItem => ({
  key: `server ${id}`,
  tone: 'info',
  word: 'Not installed',
  title: name,
  says: 'Registered, but nothing is on it yet.',
  href: `/servers/${id}/install`,
  action: 'Install it',
})

function serverItems(
  servers: readonly NamedServer[],
  all: number,
  say: (server: NamedServer) => AttentionItem,
  word: string,
  tone: AttentionItem['tone'],
): AttentionItem[] {
  const named = servers.slice(0, all > namedServers ? namedServers - 1 : namedServers)
  const rest = all - named.length
  if (rest <= 0) return named.map(say)
  const title = `${rest.toLocaleString('en-GB')} more ${rest === 1 ? 'server' : 'servers'}`
  const says = tone === 'danger' ? 'Their last install did not go through.' : 'Registered, but nothing is on them yet.'
  return [...named.map(say), { key: `rest ${word}`, tone, word, title, says, href: '/servers', action: 'Go to the servers' }]
}
