import { answerRead } from '@/app/api/answer-read'
import { problem } from '@/lib/contract/problem'
import { problemResponse } from '@/lib/portal/base/request/problem-response'
import { guardedGet, methodNotAllowed } from '@/lib/portal/entry/handler'
import { findJob } from '@/lib/portal/jobs/view'
import { viewArchive } from '@/lib/portal/subjects/archives/view'

export const dynamic = 'force-dynamic'

/** Whether the archive that a job prepared can be downloaded. */
export const GET = guardedGet(async (actor, _request, { jobId = '' }) => {
  const job = await findJob(actor, jobId)
  if (!job) return problemResponse(problem('not_found'))
  return answerRead('/api/jobs/[jobId]/archive', await viewArchive(actor, jobId))
})

export const OPTIONS = methodNotAllowed
