/** Takes over the jobs of the previous process after a restart of the portal. */
import 'server-only'
import { findOperation } from '@/lib/contract'
import { problem } from '@/lib/contract/problem'
import { log } from '@/lib/log'
import { db } from '@/lib/portal/base/db'
import { processLease } from '@/lib/portal/base/portals/lease'
import { prepareRequest } from '@/lib/portal/spine/prepare-request'
import type { Job, Prisma, Server, Site } from '@/prisma/generated/portal/client'
import { coverFields, coverJobIdOf } from '../cover-job'
import { asksService, concludeJob } from './conclude'
import { openJobLog } from './job-log'
import { followLateEnds } from './late-ends'
import { type RelayTiming, type RelayWork, startRelay } from './relay'

type Orphan = Job & { server: Server | null; site: Site | null }

/**
 * Marks every running job `interrupted` and takes over its lease, so that the previous process can no longer write to it. Then follows
 * it again if the service can resume, with calls that never start work. Other jobs end here, and the user decides whether to start them
 * again. What should have followed the end of a job, but the previous process did not get to, happens now. Returns the number of
 * followed jobs.
 */
export async function resumeJobs(timing?: RelayTiming): Promise<number> {
  await followLateEnds()
  const lease = processLease()
  const open = { endedAt: null, state: { in: ['running', 'interrupted'] }, lease: { not: lease } } satisfies Prisma.JobWhereInput
  await db().job.updateMany({ where: open, data: { state: 'interrupted', lease } })
  const orphans = await db().job.findMany({ where: { endedAt: null, state: 'interrupted', lease }, include: { server: true, site: true } })
  let followed = 0
  for (const orphan of orphans) {
    const work = await planResume(orphan)
    if (work) {
      followed += 1
      void startRelay(work, 'resume', timing)
    } else {
      const ending = endHere(orphan)
      // The start of the portal does not wait for a service.
      if (asksService(orphan.operation)) ending.catch((err: unknown) => log.warn({ err, jobId: orphan.id }, 'a job could not be ended'))
      else await ending
    }
  }
  if (orphans.length > 0) log.info({ jobs: orphans.length, followed }, 'jobs of a previous process were taken over')
  return followed
}

/**
 * Null if the job cannot be followed: the service cannot resume, or the request had fields that name the work, which are stored only with
 * targets of a batch, and known for its certificate. Flags only say how to start it, and resuming never does.
 */
async function planResume(job: Orphan): Promise<RelayWork | null> {
  const operation = findOperation(job.operation)
  const connection = job.connectionId ? await db().connection.findUnique({ where: { id: job.connectionId } }) : null
  if (!operation || !connection?.extensions) return null
  const fields = await readStoredFields(job)
  if (Object.entries(operation.fields).some(([name, { kind }]) => kind !== 'flag' && fields[name] === undefined)) return null
  const request = prepareRequest(operation, { connection, server: job.server, pathParameters: pathParametersOf(job) }, fields)
  return request.ok ? { jobId: job.id, operation, request: request.data, connectionId: connection.id } : null
}

async function readStoredFields({ id, batchId }: Job): Promise<Readonly<Record<string, string>>> {
  if (batchId !== null && id === coverJobIdOf(batchId)) return coverFields
  const target = batchId === null ? null : await db().batchTarget.findUnique({ where: { requestId: id }, select: { fields: true } })
  return target ? JSON.parse(target.fields) : {}
}

function pathParametersOf({ server, site }: Orphan): Record<string, string> {
  return { ...(server && { server_id: server.upstreamId }), ...(site && { site_id: site.upstreamId }) }
}

async function endHere(job: Job): Promise<void> {
  const end = { state: 'interrupted', problem: problem('outcome_unknown') } as const
  const jobLog = await openJobLog(job.id)
  await concludeJob(job.id, jobLog, end)
}
