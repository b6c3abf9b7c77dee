import { problem } from '@/lib/contract/problem'
import { problemResponse } from '@/lib/portal/base/request/problem-response'
import { guardedGet, methodNotAllowed } from '@/lib/portal/entry/handler'
import { renderReach } from '@/lib/portal/views/reach/csv'
import { openReach } from '@/lib/portal/views/reach/open'

export const dynamic = 'force-dynamic'

/** The page Reach with its filter as CSV, for whoever may open the page. */
export const GET = guardedGet(async (actor, request) => {
  const query = Object.fromEntries(new URL(request.url).searchParams)
  const reach = await openReach(actor, query)
  if (!reach) return problemResponse(problem('not_found'))
  if (reach.refused) return problemResponse(reach.refused)
  return new Response(toStream(renderReach(reach.lines, reach.whatIf !== null)), {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="reach.csv"',
      'cache-control': 'no-store',
    },
  })
})

export const OPTIONS = methodNotAllowed

/** Rendered only as fast as the client reads: thousands of servers for each of many members make a long file. */
function toStream(parts: Generator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    pull(controller) {
      const { value, done } = parts.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
  })
}
