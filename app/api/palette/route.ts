import { readPalette } from '@/lib/portal/palette/entries'
import { guardedGet, methodNotAllowed } from '@/lib/portal/request/handler'

export const dynamic = 'force-dynamic'

export const GET = guardedGet(async (actor) => Response.json(await readPalette(actor)))

export const OPTIONS = methodNotAllowed
