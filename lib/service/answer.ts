/** Builds HTTP responses: JSON, failures, and event streams. */
import { encodeProblem } from '@/lib/contract/answer'
import type { ProgressEvent } from '@/lib/contract/events'
import type { Problem } from '@/lib/contract/problem'
import { writeEvent } from '@/lib/contract/stream'

const json = { 'content-type': 'application/json; charset=utf-8' }

export function answerJson(body: string, status = 200): Response {
  return new Response(body, { status, headers: json })
}

/** An HTML page and its content security policy. */
export function answerPage({ body, policy }: { body: string; policy: string }): Response {
  const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy, 'referrer-policy': 'no-referrer' }
  return new Response(body, { headers })
}

/** A failure, with the header that its status requires. `allow`: the allowed methods. */
export function answerProblem(failure: Problem, allow: readonly string[] = []): Response {
  const { status, body } = encodeProblem(failure)
  const headers = new Headers(json)
  if (failure.code === 'unauthorized') headers.set('www-authenticate', 'Bearer')
  if (failure.code === 'unsupported_encoding') headers.set('accept-encoding', 'identity')
  if (failure.code === 'method_not_allowed') headers.set('allow', allow.join(', '))
  return new Response(body, { status, headers })
}

/** For a client that has seen the last event: an EventSource stops at 204, and comes back after any other end. */
export const answerNoMore = (): Response => new Response(null, { status: 204 })

/**
 * Streams events as they come, pulling them no faster than the reader consumes them. Calls `left` when the reader disconnects, and
 * `failed` when the events throw, which also cuts the response off.
 */
export function answerStream(
  events: AsyncIterable<ProgressEvent>,
  { left, failed }: { left(): void; failed(error: unknown): void },
): Response {
  const iterator = events[Symbol.asyncIterator]()
  const encoder = new TextEncoder()
  // The reader may disconnect while the next event is awaited; writing to the closed stream would throw.
  let open = true
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await iterator.next()
        if (!open) return
        if (done) controller.close()
        else controller.enqueue(encoder.encode(writeEvent(value)))
      } catch (error) {
        failed(error)
        if (open) controller.error(error)
      }
    },
    cancel() {
      open = false
      left()
    },
  })
  const headers = {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
  }
  return new Response(body, { headers })
}
