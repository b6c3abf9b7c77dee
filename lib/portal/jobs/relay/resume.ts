/** Takes over the jobs of the previous process after a restart of the portal. */
import 'server-only'
import { findOperation } from '@/lib/contract'
import type { Operation } from '@/lib/contract/operation'
import { problem } from '@/lib/contract/problem'
import { log } from '@/lib/log'
import { isAllowed } from '@/lib/portal/access/grants/compile'
import { needOf } from '@/lib/portal/access/grants/needs'
import { rightOfMember } from '@/lib/portal/access/grants/read'
import { findBorrower } from '@/lib/portal/access/loans/withheld'
import { mayRun } from '@/lib/portal/access/roles'
import { db } from '@/lib/portal/base/db'
import { listHolders } from '@/lib/portal/base/portals/join'
import { processLease } from '@/lib/portal/base/portals/lease'
import { sharedDatabase } from '@/lib/portal/base/portals/shared'
import { processState } from '@/lib/portal/base/process-state'
import { prepareRequest } from '@/lib/portal/spine/prepare-request'
import type { Job, Prisma, Server, Site } from '@/prisma/generated/portal/client'
import { coverFields, coverJobIdOf } from '../cover-job'
import { findJobKind } from '../kinds'
import { placeOf } from '../place'
import { asksService, concludeJob } from './conclude'
import { type JobEnd, openJobLog } from './job-log'
import { followLateEnds } from './late-ends'
import {
  followedNoMore,
  forgetDropped,
  forgetRelay,
  listDropped,
  listRelays,
  noteDropped,
  type RelayTiming,
  type RelayWork,
  startRelay,
} from './relay'

type Orphan = Job & { server: Server | null; site: Site | null }

/**
 * Marks every running job `interrupted` and takes over its lease, so that the previous process can no longer write to it. Then follows
 * it again if the service can resume, with calls that never start work. Other jobs end here, and the user decides whether to start them
 * again. What should have followed the end of a job, but the previous process did not get to, happens now. On PostgreSQL, jobs of portals that
 * are alive stay theirs. Returns the number of followed jobs.
 */
export async function resumeJobs(timing?: RelayTiming): Promise<number> {
  // On PostgreSQL the leader looks for them, because a portal that is alive may be recording an end.
  if (!sharedDatabase()) await followLateEnds()
  return takeJobsOver(timing)
}

const following = { endedAt: null, state: { in: ['running', 'interrupted'] } } satisfies Prisma.JobWhereInput

/** As resumeJobs, without what should have followed the ends of jobs. */
export async function takeJobsOver(timing?: RelayTiming): Promise<number> {
  const orphans = sharedDatabase() ? await takeOrphans() : await takeAll()
  let followed = 0
  for (const orphan of orphans) {
    const work = await planWork(orphan)
    const mode = orphan.unsent ? 'start' : 'resume'
    if (work && (mode === 'resume' || Date.now() < work.startsUntil)) {
      followed += 1
      void startRelay(work, mode, timing)
    } else {
      const ending = endHere(orphan, orphan.unsent ? neverSent : undefined)
      // The start of the portal does not wait for a service.
      if (asksService(orphan.operation)) ending.catch((err: unknown) => log.warn({ err, jobId: orphan.id }, 'a job could not be ended'))
      else await ending
    }
  }
  if (orphans.length > 0) log.info({ jobs: orphans.length, followed }, 'jobs of a previous process were taken over')
  return followed
}

const related = { server: true, site: true } as const

async function takeAll(): Promise<Orphan[]> {
  const lease = processLease()
  const data = { state: 'interrupted', lease, leaseEpoch: { increment: 1 } } as const
  await db().job.updateMany({ where: { ...following, lease: { not: lease } }, data })
  return db().job.findMany({ where: { endedAt: null, state: 'interrupted', lease }, include: related })
}

/** Those of portals that have ended or fallen silent, and those that this one has dropped. */
async function takeOrphans(): Promise<Orphan[]> {
  const mine = listDropped().filter((id) => !ending().has(id))
  const where = { ...following, OR: [{ lease: { notIn: listHolders() } }, { id: { in: mine }, lease: processLease() }] }
  const taken: Orphan[] = []
  for (const job of await db().job.findMany({ where, select: { id: true, lease: true, leaseEpoch: true } })) {
    if (!(await takeLease(job))) continue
    // Of an earlier time that this process had it.
    await forgetRelay(job.id)
    const orphan = await db().job.findUnique({ where: { id: job.id }, include: related })
    if (orphan) taken.push(orphan)
  }
  for (const id of mine) if (!taken.some((job) => job.id === id)) forgetDropped(id)
  return taken
}

/** False if somebody else was faster. Until its relay runs, the job counts as dropped: an error in between must not leave it alone. */
async function takeLease({ id, lease, leaseEpoch }: Pick<Job, 'id' | 'lease' | 'leaseEpoch'>): Promise<boolean> {
  noteDropped(id)
  const data = { state: 'interrupted', lease: processLease(), leaseEpoch: leaseEpoch + 1 } as const
  const { count } = await db().job.updateMany({ where: { id, lease, leaseEpoch, endedAt: null }, data })
  return count > 0
}

/** Ends a job that another portal follows, which can then write nothing more to it. False if it has ended. */
export async function stopElsewhere(jobId: string): Promise<boolean> {
  const job = await db().job.findFirst({ where: { id: jobId, endedAt: null } })
  if (!job || !(await takeLease(job))) return false
  await endHere(job, followedNoMore)
  return true
}

/** Lets go of the jobs that another portal has taken over while this one was silent. */
export async function forgetLost(): Promise<void> {
  const ids = listRelays()
  if (ids.length === 0) return
  const own = await db().job.findMany({ where: { id: { in: ids }, lease: processLease() }, select: { id: true } })
  const held = new Set(own.map(({ id }) => id))
  await Promise.all(ids.filter((id) => !held.has(id)).map(forgetRelay))
}

/** Work that begins long after a user asked for it would surprise them. */
const startWithinMs = 300_000

const neverSent: JobEnd = {
  state: 'failed',
  problem: problem('internal', { sentence: 'Gatehouse stopped before it sent this to the service. Nothing was done: start it again.' }),
}

/**
 * Null if the job cannot be followed: the service cannot resume, or the request had fields that name the work, which are stored only with
 * targets of a batch and with copies, and known for its certificate. Flags only say how to start it, and resuming never does; to start what its
 * service does not know, they must be known as well.
 */
async function planWork(job: Orphan): Promise<RelayWork | null> {
  const operation = findOperation(job.operation)
  const connection = job.connectionId ? await db().connection.findUnique({ where: { id: job.connectionId } }) : null
  if (!operation || !(connection?.extensions || (connection && job.unsent))) return null
  const fields = await readStoredFields(job)
  const missing = Object.entries(operation.fields).filter(([name]) => fields[name] === undefined)
  if (missing.some(([, { kind }]) => kind !== 'flag')) return null
  const request = prepareRequest(operation, { connection, server: job.server, pathParameters: pathParametersOf(job) }, fields)
  if (!request.ok) return null
  // Only lines of installs and the like are numbered through all runs, so that those of an earlier run are told from this one's.
  const mayStart = missing.length === 0 && (job.unsent || operation.stream) && (await isStillAllowed(job, operation))
  const startsUntil = mayStart ? job.startedAt.getTime() + startWithinMs : 0
  return { jobId: job.id, operation, request: request.data, connectionId: connection.id, startsUntil }
}

/** Whoever started it may have left, or lost a role or grant, since then. What a service began has no starter, and nobody starts it. */
async function isStillAllowed(job: Orphan, operation: Operation): Promise<boolean> {
  const starter = job.startedById === null ? null : await findBorrower(job.teamId, job.startedById)
  if (!starter || !mayRun(starter.role, operation.effect)) return false
  return isAllowed(await rightOfMember(starter), needOf(operation), placeOf(job))
}

async function readStoredFields({ id, batchId, operation }: Job): Promise<Readonly<Record<string, string>>> {
  const kind = findJobKind(operation)
  if (kind?.stored) return (await kind.stored(id)) ?? {}
  if (batchId !== null && id === coverJobIdOf(batchId)) return coverFields
  const target = batchId === null ? null : await db().batchTarget.findUnique({ where: { requestId: id }, select: { fields: true } })
  return target ? JSON.parse(target.fields) : {}
}

function pathParametersOf({ server, site }: Orphan): Record<string, string> {
  return { ...(server && { server_id: server.upstreamId }), ...(site && { site_id: site.upstreamId }) }
}

// That may take a while, in which nobody else may end them.
const ending = processState('jobs that end here', () => new Set<string>())

async function endHere({ id }: Job, end: JobEnd = { state: 'interrupted', problem: problem('outcome_unknown') }): Promise<void> {
  ending().add(id)
  try {
    await concludeJob(id, await openJobLog(id), end)
    forgetDropped(id)
  } finally {
    ending().delete(id)
  }
}
