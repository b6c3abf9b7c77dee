import { findOperation } from '@/lib/contract'
import { guardedGet, methodNotAllowed } from '@/lib/portal/entry/handler'
import { zoneFor } from '@/lib/portal/identity/shown-preferences'
import { readJobFilter, whereOf } from '@/lib/portal/jobs/filter'
import { findNewestJob, listJobs } from '@/lib/portal/jobs/view'
import { answerRead } from '../answer-read'

export const dynamic = 'force-dynamic'

/**
 * The team's newest jobs, those that match a filter: `on` is a server, `zone` the browser's time zone. With ?server= or ?site= only the newest of
 * that server or site, with &operation= of that kind.
 */
export const GET = guardedGet(async (actor, request) => {
  const { server: serverId, site: siteId, operation, on, zone, ...rest } = Object.fromEntries(new URL(request.url).searchParams)
  const target = serverId !== undefined ? { serverId } : siteId !== undefined ? { siteId } : null
  if (target === null) {
    const filter = readJobFilter({ ...rest, server: on })
    return answerRead('/api/jobs', await listJobs(actor, whereOf(filter, zoneFor(actor.preferences, zone))))
  }
  const newest = await findNewestJob(actor, target, findOperation(operation ?? ''))
  return answerRead('/api/jobs', newest ? [newest] : [])
})

export const OPTIONS = methodNotAllowed
