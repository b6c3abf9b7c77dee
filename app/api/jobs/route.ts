import { findOperation } from '@/lib/contract'
import { guardedGet, methodNotAllowed } from '@/lib/portal/entry/handler'
import { findNewestJob, listJobs } from '@/lib/portal/jobs/view'
import { answerRead } from '../answer-read'

export const dynamic = 'force-dynamic'

/** The team's newest jobs; with ?server= or ?site= only the newest of that server or site, with &operation= of that kind. */
export const GET = guardedGet(async (actor, request) => {
  const { server: serverId, site: siteId, operation } = Object.fromEntries(new URL(request.url).searchParams)
  const target = serverId !== undefined ? { serverId } : siteId !== undefined ? { siteId } : null
  if (target === null) return answerRead('/api/jobs', await listJobs(actor))
  const newest = await findNewestJob(actor, target, findOperation(operation ?? ''))
  return answerRead('/api/jobs', newest ? [newest] : [])
})

export const OPTIONS = methodNotAllowed
