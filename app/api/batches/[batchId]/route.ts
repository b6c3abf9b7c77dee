import { problem } from '@/lib/contract/problem'
import { problemResponse } from '@/lib/portal/base/request/problem-response'
import { findBatch } from '@/lib/portal/batches/view'
import { guardedGet, methodNotAllowed } from '@/lib/portal/entry/handler'
import { answerRead } from '../../answer-read'

export const dynamic = 'force-dynamic'

/** A batch with its targets, in order. */
export const GET = guardedGet(async (actor, _request, { batchId = '' }) => {
  const batch = await findBatch(actor, batchId)
  return batch ? answerRead('/api/batches/[batchId]', batch) : problemResponse(problem('not_found'))
})

export const OPTIONS = methodNotAllowed
