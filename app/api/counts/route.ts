import { guardedGet, methodNotAllowed } from '@/lib/portal/entry/handler'
import { readCounts } from '@/lib/portal/views/home/counts'
import { answerRead } from '../answer-read'

export const dynamic = 'force-dynamic'

export const GET = guardedGet(async (actor) => answerRead('/api/counts', await readCounts(actor)))

export const OPTIONS = methodNotAllowed
