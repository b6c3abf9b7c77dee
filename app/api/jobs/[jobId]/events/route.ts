import { guardedGet, methodNotAllowed } from '@/lib/portal/entry/handler'
import { watchJob } from '@/lib/portal/jobs/relay/watch-job'

export const dynamic = 'force-dynamic'

export const GET = guardedGet((actor, request, { jobId = '' }) => watchJob(actor, jobId, request))

export const OPTIONS = methodNotAllowed
