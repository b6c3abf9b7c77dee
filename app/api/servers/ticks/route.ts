import { answerRead } from '@/app/api/answer-read'
import { guardedGet, methodNotAllowed } from '@/lib/portal/entry/handler'
import { readTicks } from '@/lib/portal/views/vitals/ticks'

export const dynamic = 'force-dynamic'

/** `?ids=ONE TWO`: the last day of these servers. */
export const GET = guardedGet(async (actor, request) => {
  const ids = (new URL(request.url).searchParams.get('ids') ?? '').split(' ')
  return answerRead('/api/servers/ticks', await readTicks(actor, ids))
})

export const OPTIONS = methodNotAllowed
