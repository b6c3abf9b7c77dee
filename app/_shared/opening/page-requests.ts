/**
 * The requests that Next sends for pages. Where one is not answered, Next leaves for that address by the browser, whose error page would
 * replace this one and everything typed on it.
 */

const gatewayFailures = new Set([502, 503, 504])

const isForPage = (init: RequestInit | undefined): boolean => new Headers(init?.headers).get('rsc') === '1'

/**
 * `send`, but a page that is not answered stays unanswered, and `onLost` is called instead. Aborted requests, and requests for anything but
 * pages, are left as they are.
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
