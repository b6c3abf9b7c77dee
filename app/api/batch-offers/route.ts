import { problem } from '@/lib/contract/problem'
import { problemResponse } from '@/lib/portal/base/request/problem-response'
import { listBatchOffers } from '@/lib/portal/batches/offers'
import { guardedGet, methodNotAllowed } from '@/lib/portal/entry/handler'
import { answerRead } from '../answer-read'

export const dynamic = 'force-dynamic'

/** `?of=server` or `?of=site`: what the member may start on several of them. */
export const GET = guardedGet(async (actor, request) => {
  const of = new URL(request.url).searchParams.get('of')
  if (of !== 'server' && of !== 'site') return problemResponse(problem('invalid'))
  return answerRead('/api/batch-offers', await listBatchOffers(actor, of))
})

export const OPTIONS = methodNotAllowed
