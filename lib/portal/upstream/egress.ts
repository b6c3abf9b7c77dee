/** The portal's only outgoing HTTP: one call with one key to one checked address, within limits, tried once. */
import 'server-only'
import type { Readable } from 'node:stream'
import { type Problem, problem } from '@/lib/contract/problem'
import type { EncodedRequest } from '@/lib/contract/request'
import { type BaseUrl, findTarget, type Target } from './address'
import { borrowAgent } from './agents'
import { type ExchangeRequest, type Head, startExchange } from './exchange'
import { problemOf, UpstreamFailure } from './failure'
import { isTooDeep } from './nesting'
import { createJsonRedactor, type Redactor } from './redactor'
import { type CallPace, type Limits, limitsByPace, startWatch } from './watch'

export type CallOptions = {
  pace: CallPace
  signal?: AbortSignal
  /** The Accept header; JSON when left out. */
  accept?: string
  /** Resumes a stream after this id instead of starting anything, where the service knows how. */
  lastEventId?: string
  /** Other limits than the pace's own: for tests. */
  limits?: Limits
}

/**
 * answer: whatever status the service gave, its body as text. stream: the chunks of an event stream; iterating throws
 * UpstreamFailure when it breaks. failed: no usable answer; `sent` tells whether the request may have arrived.
 * The key is struck out of bodies and chunks.
 */
export type UpstreamReply =
  | { kind: 'answer'; status: number; contentType: string; body: string; extensions: boolean; retryAfter: string | null }
  | { kind: 'stream'; status: number; extensions: boolean; chunks: AsyncIterable<Uint8Array> }
  | { kind: 'failed'; problem: Problem; sent: boolean }

/** Who calls: id names the sockets to use, key is the bearer (visible ASCII; the caller wipes it). */
export type Credential = { credentialId: string; address: BaseUrl; key: Buffer }

const maxAnswerBytes = 8 * 1024 * 1024

/** Sends one request with the bearer key. Never throws for what the network or the upstream does. */
export async function send(credential: Credential, request: EncodedRequest, options: CallOptions): Promise<UpstreamReply> {
  const target = findTarget(credential.address)
  if ('code' in target) return { kind: 'failed', problem: target, sent: false }
  const lease = borrowAgent(credential.credentialId, target)
  const watch = startWatch(options.limits ?? limitsByPace[options.pace], options.signal)
  const finish = () => {
    watch.end()
    lease.release()
  }
  const exchange = startExchange(lease.agent, toExchangeRequest(target, credential.key, request, options), watch)
  const redactor = createJsonRedactor(credential.key)
  try {
    const reply = await receive(await exchange.head, redactor, options)
    if (reply.kind === 'stream') reply.body.once('close', finish)
    else finish()
    return reply.kind === 'stream' ? { ...reply.head, kind: 'stream', chunks: readStream(reply.body, redactor) } : reply
  } catch (error) {
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
      // A compressed answer could be a bomb, and would hide an echoed key: none is asked for, none is taken.
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
  const extensions = head.headers['gatehouse-extensions'] !== undefined
  const refusal = findRefusal(head)
  if (refusal) {
    head.body().destroy()
    throw new UpstreamFailure(refusal)
  }
  const contentType = mediaType(head.headers['content-type'])
  if (isStream(status, contentType, options)) return { kind: 'stream', head: { status, extensions }, body: head.body() }
  if (Number(head.headers['content-length']) > maxAnswerBytes) {
    head.body().destroy()
    throw new UpstreamFailure(problem('upstream_too_large'))
  }
  const text = await readText(head, redactor)
  if (isTooDeep(text)) throw new UpstreamFailure(problem('upstream_not_understood'))
  const retryAfter = head.headers['retry-after']
  return { kind: 'answer', status, contentType, body: text, extensions, retryAfter: typeof retryAfter === 'string' ? retryAfter : null }
}

/** What the head alone makes unacceptable. */
function findRefusal({ status, headers }: Head): Problem | null {
  if (status >= 300 && status < 400) return problem('upstream_redirected')
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding.trim().toLowerCase() !== 'identity') return problem('upstream_not_understood')
  return null
}

/** Services send install streams under many types; only JSON is an answer for certain. */
function isStream(status: number, contentType: string, { pace, accept }: CallOptions): boolean {
  if (status < 200 || status > 299) return false
  if (pace === 'stream') return contentType !== 'application/json'
  return contentType === 'text/event-stream' && accept?.includes('text/event-stream') === true
}

/** The media type alone, in lower case; parameters and anything odd are left out. */
function mediaType(header: string | undefined): string {
  return /^\s*([\w.+-]{1,64}\/[\w.+-]{1,64})/.exec(header ?? '')?.[1]?.toLowerCase() ?? ''
}

const decoder = new TextDecoder()

async function readText(head: Head, redactor: Redactor): Promise<string> {
  const bytes = redactor.push(await head.whole(maxAnswerBytes))
  return decoder.decode(Buffer.concat([bytes, redactor.end()]))
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
