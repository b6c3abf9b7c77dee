/** Answers a browser that follows a job. */
import 'server-only'
import { problem } from '@/lib/contract/problem'
import { mayRun } from '@/lib/portal/access/roles'
import { db } from '@/lib/portal/base/db'
import { recordPresence } from '@/lib/portal/base/presence'
import { problemResponse } from '@/lib/portal/base/request/problem-response'
import { type Person, recheckSame } from '@/lib/portal/identity/actor'
import { findJob } from '../view'
import { jobsVisibleTo } from '../visible'
import { takeStream } from './open-streams'
import { parseResumePoint } from './resume-point'
import { openViewer, type ViewerTiming } from './viewer'

const headers = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-store, no-transform',
  'x-accel-buffering': 'no',
}

const tooMany = () =>
  problem('too_many', {
    sentence: 'Too many windows follow jobs at once. Close some; this one then continues automatically.',
    retryAfterSeconds: 5,
  })

/**
 * 404 for jobs of other teams, 429 for users with too many streams. Resumes from the header Last-Event-ID, or from ?after= if the
 * browser cannot set one.
 */
export async function watchJob(actor: Person, jobId: string, request: Request, timing?: ViewerTiming): Promise<Response> {
  const job = await findJob(actor, jobId)
  if (!job) return problemResponse(problem('not_found'))
  const release = takeStream(actor.user.id)
  if (!release) return problemResponse(tooMany())
  const given = request.headers.get('last-event-id') ?? new URL(request.url).searchParams.get('after')
  const stream = openViewer({
    jobId,
    from: parseResumePoint(given, job.eventCount),
    hidesServer: job.serverId === null,
    mayStillSee: () => mayStillSee(actor, jobId),
    signal: request.signal,
    onEnd: release,
    ...(timing && { timing }),
  })
  return new Response(stream, { headers })
}

async function mayStillSee(actor: Person, jobId: string): Promise<boolean> {
  const now = await recheckSame(actor)
  if (!now || !mayRun(now.role, 'read')) return false
  const job = await db().job.findFirst({ where: { AND: [{ id: jobId }, await jobsVisibleTo(now)] }, select: { serverId: true } })
  if (job?.serverId) recordPresence(job.serverId, now.user.id)
  return job !== null
}
