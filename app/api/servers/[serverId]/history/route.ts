import { answerOutcome } from '@/app/api/answer-read'
import { problem } from '@/lib/contract/problem'
import { problemResponse } from '@/lib/portal/base/request/problem-response'
import { guardedGet, methodNotAllowed } from '@/lib/portal/entry/handler'
import { isRange, readHistory } from '@/lib/portal/views/history/read'

export const dynamic = 'force-dynamic'

/** The samples of a server: `?range=24h`, `7d` or `30d`. */
export const GET = guardedGet(async (actor, request, params) => {
  const range = new URL(request.url).searchParams.get('range') ?? '24h'
  if (!isRange(range)) return problemResponse(problem('invalid'))
  const outcome = await readHistory(actor, params.serverId ?? '', range)
  return answerOutcome('/api/servers/[serverId]/history', outcome)
})

export const OPTIONS = methodNotAllowed
