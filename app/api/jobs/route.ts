import { guardedGet, methodNotAllowed } from '@/lib/portal/entry/handler'
import { findNewestJob, listJobs } from '@/lib/portal/jobs/view'
import { answerRead } from '../answer-read'

export const dynamic = 'force-dynamic'

/** The team's newest jobs; with ?server= only the newest of that server. */
export const GET = guardedGet(async (actor, request) => {
  const serverId = new URL(request.url).searchParams.get('server')
  if (serverId === null) return answerRead('/api/jobs', await listJobs(actor))
  const newest = await findNewestJob(actor, serverId)
  return answerRead('/api/jobs', newest ? [newest] : [])
})

export const OPTIONS = methodNotAllowed
