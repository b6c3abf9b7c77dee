/** What every request to the portal meets first: decision 019. */
import 'server-only'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import compression from 'compression'
import { log } from '@/lib/log'
import { getSettings } from '@/lib/settings/settings'
import { setAnswerHeaders } from './answer-headers'
import { type Assets, sendAsset } from './assets.mjs'
import { awaitBody } from './bodies'
import { findRead } from './reads'
import { findRefusal, hasBody, refuse, tooLong } from './refusals'

type AnswerByNext = (request: IncomingMessage, response: ServerResponse) => unknown

// Set by the process's main program, which is no part of Next's bundles.
const holder: { gatehouseTakeFront?: (front: typeof createFront) => void } = globalThis as object

/** Hands the front to the process's main program, which listens from then on. */
export function offerFront(): void {
  holder.gatehouseTakeFront?.(createFront)
}

/** Its types are those of another server's requests; it needs Node's alone. */
type Packer = (request: IncomingMessage, response: ServerResponse, then: () => void) => void

/** Smaller answers cost more to pack than to send. Streams say `no-transform`, and stay as they are. */
const pack = compression({ threshold: 4096 }) as unknown as Packer

/** Built files and the reads that pages repeat are answered here, everything else by Next. */
export function createFront(answerByNext: AnswerByNext, assets: Assets): RequestListener {
  const { secureCookies } = getSettings()
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url?.split('?', 1)[0] ?? ''
    setAnswerHeaders(response, path, { secure: secureCookies })
    const refusal = findRefusal(request)
    if (refusal) return refuse(response, refusal)
    if (hasBody(request)) {
      const broken = await awaitBody(request, response, path)
      if (broken !== null) return refuse(response, tooLong(broken))
    }
    const asset = request.method === 'GET' || request.method === 'HEAD' ? assets.get(path) : undefined
    if (asset) return sendAsset(asset, request, response)
    const read = request.method === 'GET' ? findRead(path) : null
    if (!read) return answerByNext(request, response)
    return pack(request, response, () => void getRequestListener(read, { overrideGlobalObjects: false })(request, response))
  }
  return (request, response) => {
    answer(request, response).catch((error: unknown) => {
      // Whoever goes away, or is cut off, in the middle of a request has not found a fault of ours.
      if (request.socket.destroyed) log.debug({ err: error }, 'a request ended early')
      else log.error({ err: error }, 'a request failed')
      if (response.headersSent) response.destroy()
      else response.writeHead(500).end()
    })
  }
}
