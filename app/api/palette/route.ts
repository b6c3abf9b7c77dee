import { guardedGet, methodNotAllowed } from '@/lib/portal/entry/handler'
import { readPalette } from '@/lib/portal/views/palette/entries'
import { answerRead } from '../answer-read'

export const dynamic = 'force-dynamic'

export const GET = guardedGet(async (actor) => answerRead('/api/palette', await readPalette(actor)))

export const OPTIONS = methodNotAllowed
