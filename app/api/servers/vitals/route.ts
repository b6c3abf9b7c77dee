import { answerRead } from '@/app/api/answer-read'
import { guardedGet, methodNotAllowed } from '@/lib/portal/entry/handler'
import { readVitals, readVitalsOf } from '@/lib/portal/views/vitals/vitals'

export const dynamic = 'force-dynamic'

/** `?ids=ONE TWO`: the figures and the last day of these servers. Without ids the figures of all servers, for the CSV file. */
export const GET = guardedGet(async (actor, request) => {
  const ids = new URL(request.url).searchParams.get('ids')
  const body = ids === null ? { vitals: await readVitals(actor), days: [], from: 0 } : await readVitalsOf(actor, ids.split(' '))
  return answerRead('/api/servers/vitals', body)
})

export const OPTIONS = methodNotAllowed
