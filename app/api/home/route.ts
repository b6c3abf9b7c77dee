import { guardedGet, methodNotAllowed } from '@/lib/portal/entry/handler'
import { readHome } from '@/lib/portal/views/home/home'

export const dynamic = 'force-dynamic'

const patienceMs = 1000

export const GET = guardedGet(async (actor) => Response.json(await readHome(actor, patienceMs)))

export const OPTIONS = methodNotAllowed
