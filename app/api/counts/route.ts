import { guardedGet, methodNotAllowed } from '@/lib/portal/entry/handler'
import { readCounts } from '@/lib/portal/views/home/counts'

export const dynamic = 'force-dynamic'

export const GET = guardedGet(async (actor) => Response.json(await readCounts(actor)))

export const OPTIONS = methodNotAllowed
