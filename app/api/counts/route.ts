import { readCounts } from '@/lib/portal/home/counts'
import { guardedGet, methodNotAllowed } from '@/lib/portal/request/handler'
import { answerRead } from '../answer-read'

export const dynamic = 'force-dynamic'

export const GET = guardedGet(async (actor) => answerRead('/api/counts', await readCounts(actor)))

export const OPTIONS = methodNotAllowed
