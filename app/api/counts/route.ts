import { readCounts } from '@/lib/portal/home/counts'
import { guardedGet, methodNotAllowed } from '@/lib/portal/request/handler'

export const dynamic = 'force-dynamic'

export const GET = guardedGet(async (actor) => Response.json(await readCounts(actor)))

export const OPTIONS = methodNotAllowed
