import { guardedGet, methodNotAllowed } from '@/lib/portal/entry/handler'
import { readPalette } from '@/lib/portal/views/palette/entries'

export const dynamic = 'force-dynamic'

export const GET = guardedGet(async (actor) => Response.json(await readPalette(actor)))

export const OPTIONS = methodNotAllowed
