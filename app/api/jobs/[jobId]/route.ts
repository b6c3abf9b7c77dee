import { problem } from '@/lib/contract/problem'
import { problemResponse } from '@/lib/portal/base/request/problem-response'
import { guardedGet, methodNotAllowed } from '@/lib/portal/entry/handler'
import { findJob, readJobEvents } from '@/lib/portal/jobs/view'
import { answerRead } from '../../answer-read'

export const dynamic = 'force-dynamic'

const maxLines = 1_000

/** The job and its newest lines, or those after ?after=; at most a thousand. Older ones come through the stream. */
export const GET = guardedGet(async (actor, request, { jobId = '' }) => {
  const job = await findJob(actor, jobId)
  if (!job) return problemResponse(problem('not_found'))
  const after = new URL(request.url).searchParams.get('after') ?? ''
  const from = /^\d{1,15}$/.test(after) ? Number(after) : Math.max(0, job.eventCount - maxLines)
  const events = await readJobEvents(actor, jobId, from, maxLines)
  return answerRead('/api/jobs/[jobId]', { job, events })
})

export const OPTIONS = methodNotAllowed
