import { readHome } from '@/lib/portal/home/home'
import { guardedGet, methodNotAllowed } from '@/lib/portal/request/handler'

export const dynamic = 'force-dynamic'

const patienceMs = 1000

export const GET = guardedGet(async (actor) => Response.json(await readHome(actor, patienceMs)))

export const OPTIONS = methodNotAllowed
