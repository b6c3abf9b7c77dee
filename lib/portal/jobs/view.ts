/** Jobs and their lines in the form that browsers may see. */
import 'server-only'
import type { Operation } from '@/lib/contract/operation'
import { isProblemCode, type Problem } from '@/lib/contract/problem'
import { recordDeniedRead } from '@/lib/portal/access/denied'
import { findSight } from '@/lib/portal/access/visible'
import { db } from '@/lib/portal/base/db'
import { isOpaqueId } from '@/lib/portal/base/opaque-id'
import { takeKept } from '@/lib/portal/base/take-kept'
import type { Actor } from '@/lib/portal/identity/actor'
import { readCredentialOwners } from '@/lib/portal/subjects/credentials/kept'
import type { Job, JobEvent, JobState, Prisma } from '@/prisma/generated/portal/client'
import { isJobOperation, type JobOperationId } from './event-kinds'
import { findNewer, type Newer } from './newer'
import { findRepeatable } from './repeatable'
import { nameOfKind, titleOfJob } from './title'
import { jobsVisibleTo, siftJobs } from './visible'

export type { JobState }

export type JobView = {
  id: string
  /** operation: null if this version does not know it. title: what it does, with the target's name. */
  operation: JobOperationId | null
  title: string
  serverId: string | null
  /** The site it is about; for a creation the new site, once it is known. */
  siteId: string | null
  targetName: string
  /** The user's name; empty if the account was deleted. Of what the service began at night: Gatehouse. Of an event of a server: the server. */
  startedBy: string
  /** Whether the server did it by its own timers. There are no steps, and only when it was over is known. */
  isEvent: boolean
  /** The name of the member who cancelled it; empty if none did, or the account was deleted. */
  cancelledBy: string
  state: JobState
  step: string
  /** 0–100 */
  progress: number
  problem: Problem | null
  /** Whether it did not succeed, and can be started again as it was. */
  repeatable: boolean
  /** What started its work again; null if nothing did. */
  newer: Newer | null
  /** What the service reported at the end: where the last backup of a deleted site or a replaced site is, or the backup made before a push. */
  note: string
  /** Who may see the credentials that the newest such job with any returned: the id of a user. Null if there are none, or no longer. */
  credentialsFor: string | null
  /** ISO times. heardAt: when the service last sent anything. endedAt: null until the job has ended. */
  startedAt: string
  endedAt: string | null
  heardAt: string
  eventCount: number
}

/** One line. seq counts from 1 without gaps within the job. at: ISO. */
export type JobEventView = { seq: number; at: string; step: string; progress: number | null; status: string; message: string }

const newest = 200
const besideJob = { startedBy: { select: { name: true } }, cancelledBy: { select: { name: true } } } as const

type Beside = { startedBy: { name: string } | null; cancelledBy: { name: string } | null }

async function toJobViews(jobs: readonly (Job & Beside)[]): Promise<JobView[]> {
  const newer = await findNewer(jobs.flatMap(({ id, state, endedAt }) => (endedAt === null || state === 'done' ? [] : [id])))
  const ownerOf = await readCredentialOwners(jobs)
  return jobs.map((job) => toJobView(job, { newer: newer.get(job.id) ?? null, credentialsFor: ownerOf(job) }))
}

const toOneView = async (job: (Job & Beside) | null): Promise<JobView | null> => (job ? ((await toJobViews([job]))[0] ?? null) : null)

function toJobView(job: Job & Beside, { newer, credentialsFor }: Pick<JobView, 'newer' | 'credentialsFor'>): JobView {
  const code = job.problemCode
  return {
    id: job.id,
    operation: isJobOperation(job.operation) ? job.operation : null,
    title: titleOfJob(job.operation, job.targetName),
    serverId: job.serverId,
    siteId: job.siteId,
    targetName: job.targetName,
    startedBy: starterOf(job),
    isEvent: job.serverEvent !== null,
    cancelledBy: job.cancelledBy?.name ?? '',
    state: job.state,
    step: job.step,
    progress: job.progress,
    problem: isProblemCode(code) ? { code, sentence: job.problemSentence ?? '' } : null,
    repeatable: newer === null && findRepeatable(job) !== null,
    newer,
    note: job.note,
    credentialsFor,
    startedAt: job.startedAt.toISOString(),
    endedAt: job.endedAt?.toISOString() ?? null,
    heardAt: job.heardAt.toISOString(),
    eventCount: job.eventCount,
  }
}

function starterOf({ serverEvent, nightRun, startedBy }: Job & Beside): string {
  if (serverEvent !== null) return 'The server'
  return nightRun === '' ? (startedBy?.name ?? '') : 'Gatehouse'
}

export function toJobEventView({ seq, at, step, progress, status, message }: Omit<JobEvent, 'jobId' | 'upstreamId'>): JobEventView {
  return { seq, at: at.toISOString(), step, progress, status, message }
}

/** For the relay and its viewers, which have checked permissions before. */
export async function readJob(id: string): Promise<JobView | null> {
  return toOneView(await db().job.findUnique({ where: { id }, include: besideJob }))
}

/** For the relay and its viewers, which have checked permissions before. */
export async function readLines(id: string, afterSeq: number, limit: number): Promise<JobEventView[]> {
  const rows = await db().jobEvent.findMany({ where: { jobId: id, seq: { gt: afterSeq } }, orderBy: { seq: 'asc' }, take: limit })
  return rows.map(toJobEventView)
}

const newestFirst: Prisma.JobOrderByWithRelationInput[] = [{ startedAt: 'desc' }, { id: 'asc' }]

/** Jobs that were started alone. */
export const outsideBatches: Prisma.JobWhereInput = { batchId: null }

/** Whoever sees a site alone gets no id of its server. */
async function withoutUnseen(actor: Actor, views: readonly JobView[]): Promise<JobView[]> {
  const sees = await findSight(actor)
  return views.map((view) => (view.serverId && !sees({ kind: 'server', serverId: view.serverId }) ? { ...view, serverId: null } : view))
}

/** The jobs that the actor may see and that match, newest first, at most 200. Those of a batch are lines of the batch instead. */
export async function listJobs(actor: Actor, matching: Prisma.JobWhereInput = outsideBatches): Promise<JobView[]> {
  const { where, keeps } = await siftJobs(actor)
  const found = { where: { AND: [where, matching] }, include: besideJob, orderBy: newestFirst }
  const jobs = await takeKept<Job & Beside>((page) => db().job.findMany({ ...found, ...page }), keeps, newest)
  return withoutUnseen(actor, await toJobViews(jobs))
}

/** A job by its title alone. startedAt: ISO. */
export type JobName = Pick<JobView, 'id' | 'title' | 'state' | 'startedAt'>

/** The newest jobs that the actor may see, at most `most`, those of batches too. */
export async function listJobNames(actor: Actor, most: number): Promise<JobName[]> {
  const { where, keeps } = await siftJobs(actor)
  const jobs = await takeKept<Job>((page) => db().job.findMany({ where, orderBy: newestFirst, ...page }), keeps, most)
  return jobs.map(({ id, operation, targetName, state, startedAt }) => ({
    id,
    title: titleOfJob(operation, targetName),
    state,
    startedAt: startedAt.toISOString(),
  }))
}

/** What a filter of jobs can choose from, as the jobs that the actor may see have it. */
export async function listJobChoices(
  actor: Actor,
): Promise<{ kinds: { id: JobOperationId; name: string }[]; servers: { id: string; name: string }[] }> {
  const where = await jobsVisibleTo(actor)
  const [kinds, servers] = await Promise.all([
    db().job.groupBy({ by: ['operation'], where }),
    db().job.findMany({ where, distinct: ['serverId'], select: { server: { select: { id: true, name: true } } } }),
  ])
  const known = kinds.map(({ operation }) => operation).filter(isJobOperation)
  const named = known.map((id) => ({ id, name: nameOfKind(id) }))
  const sees = await findSight(actor)
  const present = servers.flatMap(({ server }) => (server && sees({ kind: 'server', serverId: server.id }) ? [server] : []))
  return { kinds: named.sort(byName), servers: present.sort(byName) }
}

const byName = (one: { name: string }, other: { name: string }): number => one.name.localeCompare(other.name, 'en')

/** The newest job on a server or site that the actor may see, optionally of one operation; null if there is none. Events of servers do not count. */
export async function findNewestJob(
  actor: Actor,
  target: { serverId: string } | { siteId: string },
  operation?: Operation,
): Promise<JobView | null> {
  const job = await db().job.findFirst({
    where: { AND: [await jobsVisibleTo(actor), { serverEvent: null, ...target, ...(operation && { operation: operation.id }) }] },
    include: besideJob,
    orderBy: { startedAt: 'desc' },
  })
  return job && ((await withoutUnseen(actor, await toJobViews([job])))[0] ?? null)
}

/** Null for an unknown job and one that the actor may not see; logs a refusal. */
export async function findJob(actor: Actor, id: string): Promise<JobView | null> {
  const job = isOpaqueId(id) ? await db().job.findFirst({ where: { AND: [{ id }, await jobsVisibleTo(actor)] }, include: besideJob }) : null
  if (!job) {
    await recordDeniedRead(actor, 'jobs.show', { kind: 'job', id })
    return null
  }
  return (await withoutUnseen(actor, await toJobViews([job])))[0] ?? null
}

/** Lines after `afterSeq`, in order, at most `limit`; none for a job that the actor may not see. */
export async function readJobEvents(actor: Actor, id: string, afterSeq: number, limit: number): Promise<JobEventView[]> {
  return (await findJob(actor, id)) ? readLines(id, afterSeq, limit) : []
}
