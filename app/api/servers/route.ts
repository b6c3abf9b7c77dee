import { guardedGet, methodNotAllowed } from '@/lib/portal/request/handler'
import { listServers } from '@/lib/portal/servers/list'

export const dynamic = 'force-dynamic'

export const GET = guardedGet(async (actor) => Response.json(await listServers(actor)))

export const OPTIONS = methodNotAllowed
