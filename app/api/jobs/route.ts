import { guardedGet, methodNotAllowed } from '@/lib/portal/entry/handler'
import { findNewestJob, listJobs } from '@/lib/portal/jobs/view'

export const dynamic = 'force-dynamic'

/** The team's newest jobs; with ?server= the newest of that server alone. */
export const GET = guardedGet(async (actor, request) => {
  const serverId = new URL(request.url).searchParams.get('server')
  if (serverId === null) return Response.json(await listJobs(actor))
  const newest = await findNewestJob(actor, serverId)
  return Response.json(newest ? [newest] : [])
})

export const OPTIONS = methodNotAllowed
