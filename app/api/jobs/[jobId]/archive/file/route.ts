import { problem } from '@/lib/contract/problem'
import { log } from '@/lib/log'
import { problemResponse } from '@/lib/portal/base/request/problem-response'
import { guardedGet, methodNotAllowed } from '@/lib/portal/entry/handler'
import { findJob } from '@/lib/portal/jobs/view'
import { fetchPrepared } from '@/lib/portal/subjects/archives/fetch'

export const dynamic = 'force-dynamic'

/** The archive that a job prepared, or a range of it, as its service sends it. */
export const GET = guardedGet(async (actor, request, { jobId = '' }) => {
  if (!(await findJob(actor, jobId))) return problemResponse(problem('not_found'))
  const [range, ifRange] = ['range', 'if-range'].map((name) => request.headers.get(name) ?? undefined)
  const fetched = await fetchPrepared(actor, jobId, { range, ifRange, signal: request.signal })
  if (!fetched.ok) return problemResponse(fetched.problem)
  const { status, headers, name, chunks } = fetched.data
  return new Response(toStream(chunks, jobId), {
    status,
    headers: {
      ...headers,
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="${name}"`,
      // Compression would change the length, and the ranges with it.
      'cache-control': 'no-store, no-transform',
    },
  })
})

export const OPTIONS = methodNotAllowed

/** The service is read only as fast as the browser reads, and only while it does. */
function toStream(chunks: AsyncIterable<Uint8Array>, jobId: string): ReadableStream<Uint8Array> {
  const reader = chunks[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      try {
        const { value, done } = await reader.next()
        if (done) controller.close()
        else controller.enqueue(value)
      } catch {
        log.info({ jobId }, 'a download of an archive broke off')
        controller.error(new Error('The archive could not be read completely.'))
      }
    },
    async cancel() {
      await reader.return?.(undefined)
    },
  })
}
