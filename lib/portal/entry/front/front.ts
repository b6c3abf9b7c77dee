/** The first handler of every request to the portal: decision 019. */
import 'server-only'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import compression from 'compression'
import { log } from '@/lib/log'
import { noteArrival } from '@/lib/portal/base/cached-until-write'
import { isHostRewritten } from '@/lib/portal/base/request/own-origin'
import { WholeResponse } from '@/lib/portal/base/request/whole-response'
import { getSettings } from '@/lib/settings/settings'
import { setAnswerHeaders } from './answer-headers'
import { type Assets, sendAsset } from './assets.mjs'
import { awaitBody } from './bodies'
import { findRead, type Read } from './reads'
import { findRefusal, hasBody, hostRewritten, refuse, tooLong } from './refusals'
import { isSignedIn } from './signed-in'
import { answerInTurn } from './signed-out-forms'

type AnswerByNext = (request: IncomingMessage, response: ServerResponse) => unknown

// Set by the process's main program, which is outside Next's bundles.
const holder: { gatehouseTakeFront?: (front: typeof createFront) => void } = globalThis as object

/** Passes the front to the process's main program, which then starts listening. */
export function offerFront(): void {
  holder.gatehouseTakeFront?.(createFront)
}

/** compression's types refer to Express, but it only needs Node's. */
type Packer = (request: IncomingMessage, response: ServerResponse, then: () => void) => void

/** Bytes. Compressing smaller responses takes longer than sending them. */
const smallest = 4096

/** Streams send `no-transform` and are not compressed. */
const pack = compression({ threshold: smallest }) as unknown as Packer

/**
 * With the id of Next's preview mode in it, Next takes a request for one of its own that renders a page again, and skips proxy.ts, so the page has no
 * Content-Security-Policy. That id is in every build, so everybody can read it in a release. Gatehouse never sends the header.
 */
const skipsProxy = 'x-prerender-revalidate'

/** Next sends an action whose page the browser had left by then to the page that has it, by a request to its own address. */
const isSentOn = ({ headers }: IncomingMessage): boolean => headers['x-action-forwarded'] !== undefined

const sentOn = 'an action of a page that had been left, such as a second click, was sent on by Next and refused'

async function answerByRead(read: Read, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const answer = async (asked: Request): Promise<Response> => {
    const answered = await read(asked)
    const whole = answered instanceof WholeResponse ? Buffer.from(answered.whole) : null
    if (whole === null || whole.length >= smallest) pack(request, response, () => {})
    if (whole === null) return answered
    response.setHeaders(answered.headers).setHeader('content-length', whole.length).writeHead(answered.status).end(whole)
    return RESPONSE_ALREADY_SENT
  }
  await getRequestListener(answer, { overrideGlobalObjects: false })(request, response)
}

/** Serves the built files and the reads that pages repeat, and passes all other requests to Next. */
export function createFront(answerByNext: AnswerByNext, assets: Assets): RequestListener {
  const { secureCookies, publicUrl } = getSettings()
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    delete request.headers[skipsProxy]
    const path = request.url?.split('?', 1)[0] ?? ''
    setAnswerHeaders(response, path, { secure: secureCookies })
    const refusal = findRefusal(request)
    if (refusal) return refuse(response, refusal)
    if (request.method === 'POST' && isHostRewritten(request.headers, publicUrl)) {
      const { host, origin } = request.headers
      log.warn({ host, origin }, isSentOn(request) ? sentOn : 'a proxy changed the Host header, so the action was refused')
      return refuse(response, hostRewritten)
    }
    if (hasBody(request)) {
      const broken = await awaitBody(request, response, path)
      if (broken !== null) return refuse(response, tooLong(broken))
      if (!(await isSignedIn(request))) {
        const busy = await answerInTurn(request, response, () => answerByNext(request, response))
        return busy ? refuse(response, busy) : undefined
      }
    }
    const asset = request.method === 'GET' || request.method === 'HEAD' ? assets.get(path) : undefined
    if (asset) return sendAsset(asset, request, response)
    const read = request.method === 'GET' ? findRead(path) : null
    if (!read) return answerByNext(request, response)
    return answerByRead(read, request, response)
  }
  return (request, response) => {
    noteArrival()
    answer(request, response).catch((error: unknown) => {
      // The client disconnected during the request, which is not an error of the portal.
      if (request.socket.destroyed) log.debug({ err: error }, 'a request ended early')
      else log.error({ err: error }, 'a request failed')
      if (response.headersSent) response.destroy()
      else response.writeHead(500).end()
    })
  }
}
