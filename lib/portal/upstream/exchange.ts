/** One request and its answer on an agent's socket: never repeated or redirected, and read only as fast as it is consumed. */
import 'server-only'
import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import type { Agent, Dispatcher } from 'undici'
import { type AnswerHeaders, readHeaders } from './headers'
import type { Watch } from './watch'

export type ExchangeRequest = {
  origin: string
  path: string
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  headers: Record<string, string>
  body: string | null
}

/**
 * The head of an answer. The caller must take the body immediately in one of two ways: as a stream, to be read to its end or destroyed, or
 * as a whole, which rejects with TooLarge beyond the given number of bytes, and with any error that interrupts it.
 */
export type Head = { status: number; headers: AnswerHeaders; body: () => Readable; whole: (maxBytes: number) => Promise<Buffer> }

/** The answer is longer than the limit. */
export class TooLarge extends Error {
  override name = 'TooLarge'
}

export type Exchange = {
  /** Resolves when the headers have arrived; rejects on any error before. */
  head: Promise<Head>
  /** Whether the request may have reached the service; false until a socket was ready for it. */
  sent: () => boolean
  /** Abandons the answer in any state; closes the socket unless the answer has ended. */
  abandon: () => void
}

/** Reading stops if more than this arrives before the body is taken. The rest of the chunk with the headers fits. */
const maxEarlyBytes = 65_536

/** Sends a request. The watch's signal ends it at any point; a request that still waits for a socket is then never sent. */
export function startExchange(agent: Agent, request: ExchangeRequest, watch: Watch): Exchange {
  let handler: ExchangeHandler | undefined
  const head = new Promise<Head>((resolve, reject) => {
    handler = new ExchangeHandler(watch, resolve, reject)
    if (!watch.signal.aborted) agent.dispatch({ ...request, idempotent: false }, handler)
  })
  return { head, sent: () => handler?.sent === true, abandon: () => handler?.abandon() }
}

/** Receives the pieces of an answer that is read as a whole. */
type Whole = { push: (chunk: Buffer) => void; end: () => void; fail: (reason: Error) => void }

class ExchangeHandler implements Dispatcher.DispatchHandler {
  /** Set just before the request is written. */
  sent = false
  readonly #watch: Watch
  readonly #answer: (head: Head) => void
  readonly #refuse: (reason: unknown) => void
  #controller: Dispatcher.DispatchController | undefined
  #body: Readable | undefined
  #whole: Whole | undefined
  /** The bytes that arrived before the body was taken. */
  #early: Buffer[] = []
  #earlyBytes = 0
  #ended = false

  constructor(watch: Watch, answer: (head: Head) => void, refuse: (reason: unknown) => void) {
    this.#watch = watch
    this.#answer = answer
    this.#refuse = refuse
    if (watch.signal.aborted) this.#giveUp()
    else watch.signal.addEventListener('abort', this.#giveUp, { once: true })
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // Abandoned while the socket was being opened: undici sees the abort before it sends a byte.
    if (this.#watch.signal.aborted) controller.abort(this.#watch.signal.reason)
    else {
      this.#controller = controller
      this.sent = true
    }
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return
    this.#watch.heard()
    this.#answer({
      status,
      headers: readHeaders(headers),
      body: () => this.#stream(controller),
      whole: (maxBytes) => this.#collect(controller, maxBytes),
    })
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#watch.heard()
    if (this.#whole) this.#whole.push(chunk)
    else if (!this.#body) this.#keepEarly(controller, chunk)
    else if (!this.#body.push(chunk)) {
      controller.pause()
      this.#watch.pause()
    }
  }

  onResponseEnd(): void {
    this.#watch.pause()
    this.#ended = true
    this.#body?.push(null)
    this.#whole?.end()
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#fail(this.#watch.signal.aborted ? this.#watch.signal.reason : error)
  }

  abandon(): void {
    this.#controller?.abort(new Error('The answer was abandoned.'))
  }

  #keepEarly(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#early.push(chunk)
    this.#earlyBytes += chunk.length
    if (this.#earlyBytes > maxEarlyBytes) controller.pause()
  }

  #stream(controller: Dispatcher.DispatchController): Readable {
    const body = new Readable({
      read: () => {
        if (!controller.paused) return
        this.#watch.heard()
        controller.resume()
      },
      // Destroyed before its end, or broken, so the socket cannot be reused. Does nothing after the end.
      destroy: (error, done) => {
        controller.abort(error ?? new Error('The answer was abandoned.'))
        done(error)
      },
    })
    // The stream may break before anyone reads it; a later reader gets the error then.
    body.on('error', () => {})
    for (const chunk of this.#early.splice(0)) body.push(chunk)
    if (this.#ended) body.push(null)
    this.#body = body
    return body
  }

  /** Most answers arrive in one piece, for which a stream would cost more than everything else. */
  #collect(controller: Dispatcher.DispatchController, maxBytes: number): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const parts: Buffer[] = []
      let bytes = 0
      this.#whole = {
        push: (chunk) => {
          bytes += chunk.length
          if (bytes <= maxBytes) parts.push(chunk)
          else {
            const reason = new TooLarge('The answer is too large.')
            reject(reason)
            controller.abort(reason)
          }
        },
        end: () => resolve(Buffer.concat(parts)),
        fail: reject,
      }
      for (const chunk of this.#early.splice(0)) this.#whole.push(chunk)
      if (this.#ended) this.#whole.end()
      else controller.resume()
    })
  }

  #giveUp = (): void => {
    const reason: Error = this.#watch.signal.reason
    this.#fail(reason)
    this.#controller?.abort(reason)
  }

  #fail(reason: Error): void {
    this.#refuse(reason)
    this.#body?.destroy(reason)
    this.#whole?.fail(reason)
  }
}
