import { listBatches } from '@/lib/portal/batches/view'
import { guardedGet, methodNotAllowed } from '@/lib/portal/entry/handler'
import { answerRead } from '../answer-read'

export const dynamic = 'force-dynamic'

/** The team's newest batches. */
export const GET = guardedGet(async (actor) => answerRead('/api/batches', await listBatches(actor)))

export const OPTIONS = methodNotAllowed
