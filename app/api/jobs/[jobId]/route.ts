import { problem } from '@/lib/contract/problem'
import { findJob, readJobEvents } from '@/lib/portal/jobs/view'
import { guardedGet, methodNotAllowed } from '@/lib/portal/request/handler'
import { problemResponse } from '@/lib/portal/request/problem-response'

export const dynamic = 'force-dynamic'

const mostLines = 1_000

/** The job and its newest lines. Older ones come by the stream. */
export const GET = guardedGet(async (actor, _request, { jobId = '' }) => {
  const job = await findJob(actor, jobId)
  if (!job) return problemResponse(problem('not_found'))
  const events = await readJobEvents(actor, jobId, Math.max(0, job.eventCount - mostLines), mostLines)
  return Response.json({ job, events })
})

export const OPTIONS = methodNotAllowed
