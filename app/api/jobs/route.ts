import { listJobs } from '@/lib/portal/jobs/view'
import { guardedGet, methodNotAllowed } from '@/lib/portal/request/handler'

export const dynamic = 'force-dynamic'

export const GET = guardedGet(async (actor) => Response.json(await listJobs(actor)))

export const OPTIONS = methodNotAllowed
