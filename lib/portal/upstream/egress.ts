/** The portal's only outgoing HTTP: one call with one API key to one checked address, within limits, sent once. */
import 'server-only'
import type { Readable } from 'node:stream'
import { type Problem, problem } from '@/lib/contract/problem'
import type { EncodedRequest } from '@/lib/contract/request'
import { createUtf8Reader } from '@/lib/contract/utf8'
import { createSlices } from '@/lib/portal/base/turns'
import { getSettings } from '@/lib/settings/settings'
import { type BaseUrl, findTarget, type Target } from './address'
import { borrowAgent } from './agents'
import { type ExchangeRequest, type Head, startExchange } from './exchange'
import { problemOf, UpstreamFailure } from './failure'
import { isPlain, mediaType } from './headers'
import { isTooDeep } from './nesting'
import { createJsonRedactor, type Redactor } from './redactor'
import { type CallPace, type Limits, limitsOf, startWatch } from './watch'

export type CallOptions = {
  pace: CallPace
  signal?: AbortSignal
  /** The Accept header; JSON by default. */
  accept?: string
  /** Resumes a stream after this id instead of starting work, if the service supports it. */
  lastEventId?: string
  /** Overrides the limits of the pace. */
  limits?: Limits
}

/**
 * answer: the service's status, whatever it is, and its body as text. stream: the chunks of an event stream; iterating throws
 * UpstreamFailure if it breaks; `discard` ends a stream that is not read. failed: no usable answer; `sent` tells whether the request
 * may have arrived. The API key is removed from bodies and chunks.
 */
export type UpstreamReply =
  | { kind: 'answer'; status: number; contentType: string; body: string; extensions: boolean; retryAfter: string | null }
  | { kind: 'stream'; status: number; extensions: boolean; chunks: AsyncIterable<Uint8Array>; discard: () => void }
  | { kind: 'failed'; problem: Problem; sent: boolean }

/** id identifies the sockets to use. key is the bearer token (visible ASCII), which the caller overwrites after the call. */
export type Credential = { credentialId: string; address: BaseUrl; key: Buffer }

const maxAnswerBytes = 8 * 1024 * 1024

/** Sends one request with the bearer key. Never throws because of the network or the upstream. */
export async function send(credential: Credential, request: EncodedRequest, options: CallOptions): Promise<UpstreamReply> {
  const target = findTarget(credential.address)
  if ('code' in target) return { kind: 'failed', problem: target, sent: false }
  const lease = borrowAgent(credential.credentialId, target)
  const watch = startWatch(options.limits ?? limitsOf(options.pace, getSettings()), options.signal)
  const finish = () => {
    watch.end()
    lease.release()
  }
  const exchange = startExchange(lease.agent, toExchangeRequest(target, credential.key, request, options), watch)
  const redactor = createJsonRedactor(credential.key)
  try {
    const reply = await receive(await exchange.head, redactor, options)
    if (reply.kind === 'answer') {
      finish()
      return reply
    }
    const { head, body } = reply
    body.once('close', finish)
    return { ...head, kind: 'stream', chunks: readStream(body, redactor), discard: () => void body.destroy() }
  } catch (error) {
    // Nobody will read this answer any more, and without the watch nothing else would close it.
    exchange.abandon()
    finish()
    return { kind: 'failed', problem: problemOf(error, exchange.sent()), sent: exchange.sent() }
  }
}

function toExchangeRequest(target: Target, key: Buffer, request: EncodedRequest, options: CallOptions): ExchangeRequest {
  return {
    origin: target.origin,
    path: `${target.basePath}${request.path}`,
    method: request.method,
    body: request.body ?? null,
    headers: {
      authorization: `Bearer ${key.toString('latin1')}`,
      accept: options.accept ?? 'application/json',
      // A compressed answer could be a zip bomb or hide an echoed key, so compression is neither requested nor accepted.
      'accept-encoding': 'identity',
      'user-agent': 'gatehouse',
      ...(request.contentType === undefined ? {} : { 'content-type': request.contentType }),
      ...(options.lastEventId === undefined ? {} : { 'last-event-id': options.lastEventId }),
    },
  }
}

type Received =
  | Extract<UpstreamReply, { kind: 'answer' }>
  | { kind: 'stream'; head: { status: number; extensions: boolean }; body: Readable }

async function receive(head: Head, redactor: Redactor, options: CallOptions): Promise<Received> {
  const { status } = head
  const extensions = head.headers.has('gatehouse-extensions')
  const contentType = mediaType(head.headers)
  const answer = { kind: 'answer', status, contentType, extensions, retryAfter: head.headers.get('retry-after') ?? null } as const
  // A redirect is never followed, and says all in its status.
  if (status >= 300 && status < 400) {
    head.body().destroy()
    return { ...answer, body: '' }
  }
  const refusal = findRefusal(head)
  if (refusal) throw new UpstreamFailure(refusal)
  if (isStream(status, contentType, options)) return { kind: 'stream', head: { status, extensions }, body: head.body() }
  if (Number(head.headers.get('content-length')) > maxAnswerBytes) throw new UpstreamFailure(problem('upstream_too_large'))
  return { ...answer, body: await readText(head, redactor) }
}

/** The reason to refuse an answer by its headers alone. */
const findRefusal = ({ headers }: Head): Problem | null => (isPlain(headers) ? null : problem('upstream_not_understood'))

/** Services send install streams with any content type, even JSON; the reader detects whether it really is a stream. */
function isStream(status: number, contentType: string, { pace, accept }: CallOptions): boolean {
  if (status < 200 || status > 299) return false
  if (pace === 'stream') return true
  return contentType === 'text/event-stream' && accept?.includes('text/event-stream') === true
}

const sliceBytes = 262_144

/** Bodies may have up to 8 MB, so they are read in slices that let other requests run. */
async function readText(head: Head, redactor: Redactor): Promise<string> {
  const turn = createSlices()
  const whole = await head.whole(maxAnswerBytes)
  const reader = createUtf8Reader()
  let text = ''
  for (let from = 0; from < whole.length; from += sliceBytes) {
    text += reader.push(redactor.push(whole.subarray(from, from + sliceBytes)))
    await turn()
  }
  text += reader.push(redactor.end()) + reader.end()
  if (await isTooDeep(text, turn)) throw new UpstreamFailure(problem('upstream_not_understood'))
  return text
}

async function* readStream(body: Readable, redactor: Redactor): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of body) {
      const bytes = redactor.push(chunk)
      if (bytes.length > 0) yield bytes
    }
    const rest = redactor.end()
    if (rest.length > 0) yield rest
  } catch (error) {
    throw new UpstreamFailure(problemOf(error, true))
  }
}
