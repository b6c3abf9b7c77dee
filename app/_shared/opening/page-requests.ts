/**
 * Next's requests for pages. If one is not answered, Next makes the browser load the address, whose error page would replace this page and
 * everything typed on it.
 */

const gatewayFailures = new Set([502, 503, 504])

const isForPage = (init: RequestInit | undefined): boolean => new Headers(init?.headers).get('rsc') === '1'

/**
 * Wraps `send`: a request for a page that is not answered never settles, and calls `onLost`. Aborted requests, and requests for anything
 * but pages, pass through unchanged.
 */
export function keepingPage(send: typeof fetch, onLost: () => void): typeof fetch {
  return async (input, init) => {
    if (!isForPage(init)) return send(input, init)
    const answer = await send(input, init).catch((error: unknown) => {
      if (init?.signal?.aborted) throw error
      return null
    })
    if (answer && !gatewayFailures.has(answer.status)) return answer
    onLost()
    return new Promise(() => undefined)
  }
}
