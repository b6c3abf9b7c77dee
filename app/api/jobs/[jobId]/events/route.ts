import { watchJob } from '@/lib/portal/installs/watch-job'
import { guardedGet, methodNotAllowed } from '@/lib/portal/request/handler'

export const dynamic = 'force-dynamic'

export const GET = guardedGet((actor, request, { jobId = '' }) => watchJob(actor, jobId, request))

export const OPTIONS = methodNotAllowed
