import { readPalette } from '@/lib/portal/palette/entries'
import { guardedGet, methodNotAllowed } from '@/lib/portal/request/handler'
import { answerRead } from '../answer-read'

export const dynamic = 'force-dynamic'

export const GET = guardedGet(async (actor) => answerRead('/api/palette', await readPalette(actor)))

export const OPTIONS = methodNotAllowed
