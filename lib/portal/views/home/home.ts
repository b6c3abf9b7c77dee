/** The content of Home: problems, running and recent jobs, and the first steps. */
import 'server-only'
import { findSimulating, listListingConnections, listUsableConnections } from '@/lib/portal/access/connections'
import { mayRun } from '@/lib/portal/access/roles'
import { findSight, serversListedFor, sitesListedFor } from '@/lib/portal/access/visible'
import { db } from '@/lib/portal/base/db'
import { takeKept } from '@/lib/portal/base/take-kept'
import { listUnsettledBatches } from '@/lib/portal/batches/unsettled'
import { type BatchSummary, listBatches, listRunningBatches } from '@/lib/portal/batches/view'
import type { Actor } from '@/lib/portal/identity/actor'
import { type JobView, listJobs, outsideBatches } from '@/lib/portal/jobs/view'
import { readObstacles } from '@/lib/portal/subjects/servers/list'
import { listFullDisks } from '../history/full-disks'
import { findAttention, oldJobMs } from './attention'
import type { AttentionItem } from './attention-item'
import { readFleet } from './fleet'
import { describeFleet, type FleetPart } from './fleet-words'
import { findKnownProblem } from './known-problem'
import { offerBatches } from './offer-batches'
import { listBackupAges, listBackupItems, type OwnBackupAge } from './own-backups'
import { readHomeServers, type StateCounts } from './servers'

/** A job that was started alone, or a batch. */
export type RecentWork = { job: JobView } | { batch: BatchSummary }

export type HomeView = {
  /** The state of the fleet, as the parts of a sentence. */
  fleet: FleetPart[]
  /** At most 60 lines. */
  attention: AttentionItem[]
  /** The number of problems, including those that share a line or are not listed. */
  attentionInAll: number
  running: JobView[]
  runningBatches: BatchSummary[]
  /** The jobs and batches that ended last, at most 6. */
  recent: RecentWork[]
  servers: { all: number; states: StateCounts }
  /** Of Gatehouse itself, for owners. */
  ownBackups: OwnBackupAge[] | null
  /** Whether they see a site; a guest may see sites alone. */
  seesSites: boolean
  offersSandbox: boolean
  /** Null for guests, and once the team has a site and has installed a second server. serverId: the first server. siteAdded: the team has a site. */
  firstSteps: { added: boolean; installed: boolean; serverId: string | null; siteAdded: boolean } | null
}

/** Events of servers are left out: one a night of each would hide everything else, and faults that last are findings. */
const startedWork = { ...outsideBatches, serverEvent: null }

const maxItems = 60
const maxRunning = 20
const maxRecent = 6

/** Answers from the database; a slow service delays this by at most `patienceMs`. */
export async function readHome(actor: Actor, patienceMs: number): Promise<HomeView> {
  const problems = await askConnections(actor, patienceMs)
  const [connections, listing] = await Promise.all([listUsableConnections(actor), listListingConnections(actor)])
  const obstacles = await readObstacles(listing, problems)
  const [jobs, batches, servers, disks] = await Promise.all([
    listJobs(actor, startedWork),
    listBatches(actor),
    readHomeServers(actor, listing, obstacles),
    listFullDisks(actor),
  ])
  const now = Date.now()
  const attention = findAttention({
    connections: connections.map((connection) => ({
      ...connection,
      problem: obstacles.get(connection.id)?.problem ?? null,
      workedAt: connection.provenAt?.toISOString() ?? null,
    })),
    findings: servers.findings,
    servers: servers.waiting,
    jobs,
    batches: await listUnsettledBatches(actor, now - oldJobMs, batches),
    states: await readStates(actor, jobs),
    disks,
    backups: await listBackupItems(actor, now),
    mayChange: mayRun(actor.role, 'change'),
    now,
  })
  const installed = servers.installed.length
  const seesSites = await hasSite(actor)
  return {
    fleet: describeFleet(await readFleet(actor, { servers, listing, obstacles, now })),
    attention: await offerBatches(actor, attention.slice(0, maxItems), servers.extended),
    attentionInAll: attention.reduce((sum, { count }) => sum + count, 0),
    runningBatches: await listRunningBatches(actor),
    running: jobs.filter(({ state }) => state === 'running').slice(0, maxRunning),
    recent: newestOf(jobs, batches),
    servers: { all: servers.all, states: servers.states },
    ownBackups: await listBackupAges(actor),
    seesSites,
    offersSandbox: findSimulating(connections) !== undefined,
    firstSteps:
      actor.role === 'guest' || (seesSites && installed > 1)
        ? null
        : { added: servers.all > 0, installed: installed > 0, serverId: servers.firstId, siteAdded: seesSites },
  }
}

function newestOf(jobs: readonly JobView[], batches: readonly BatchSummary[]): RecentWork[] {
  const ended = [
    ...jobs.filter(({ state }) => state !== 'running').map((job) => ({ at: job.endedAt ?? job.heardAt, work: { job } })),
    ...batches.flatMap((batch) => (batch.endedAt === null ? [] : [{ at: batch.endedAt, work: { batch } }])),
  ]
  return ended
    .sort((one, other) => Date.parse(other.at) - Date.parse(one.at))
    .slice(0, maxRecent)
    .map(({ work }) => work)
}

async function hasSite(actor: Actor): Promise<boolean> {
  const sees = await findSight(actor)
  const found = { where: await sitesListedFor(actor), select: { id: true, serverId: true }, orderBy: { id: 'asc' as const } }
  const keeps = ({ id, serverId }: { id: string; serverId: string | null }) => sees({ kind: 'site', siteId: id, serverId })
  return (await takeKept((page) => db().site.findMany({ ...found, ...page }), keeps, 1)).length > 0
}

async function askConnections(actor: Actor, patienceMs: number) {
  const connections = await listListingConnections(actor)
  return new Map(await Promise.all(connections.map(async (one) => [one.id, await findKnownProblem(one, patienceMs)] as const)))
}

async function readStates(actor: Actor, jobs: readonly JobView[]): Promise<Map<string, string>> {
  const ids = [...new Set(jobs.flatMap(({ serverId }) => serverId ?? []))]
  const [sees, where] = [await findSight(actor), { ...(await serversListedFor(actor)), id: { in: ids } }]
  const servers = await db().server.findMany({ where, select: { id: true, state: true } })
  return new Map(servers.flatMap(({ id, state }) => (sees({ kind: 'server', serverId: id }) ? [[id, state] as const] : [])))
}
