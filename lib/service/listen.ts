/** The service's socket: listens on localhost only and shuts down gracefully. */
import type { Duplex } from 'node:stream'
import { type Http2Bindings, type HttpBindings, serve } from '@hono/node-server'
import type { Hono } from 'hono'

export type Listening = {
  port: number
  /** Accepts no more calls; running calls get the grace period to finish. */
  close(graceMs?: number): Promise<void>
}

/** The port is not available; the message is one line for the operator. */
export class PortError extends Error {}

// A client that keeps idle sockets for 30 s must always be the one that closes them.
const serverOptions = { headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 65_000, connectionsCheckingInterval: 1_000 }

/** A legitimate client never sends another server's address, or two Host headers. */
const isOdd = ({ url = '', rawHeaders }: { url?: string | undefined; rawHeaders: readonly string[] }): boolean =>
  !url.startsWith('/') || rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === 'host').length > 1

const badRequest = () => new Response('This request is malformed.', { status: 400, headers: { 'cache-control': 'no-store' } })

const refusedTunnel = 'HTTP/1.1 405 Method Not Allowed\r\nAllow: GET, POST\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'

/** Listens on 127.0.0.1. Port 0 picks a free one. Throws PortError. */
export function listen(app: Pick<Hono, 'fetch'>, port: number): Promise<Listening> {
  return new Promise((resolve, reject) => {
    const answer = (request: Request, { incoming }: HttpBindings | Http2Bindings) => (isOdd(incoming) ? badRequest() : app.fetch(request))
    // The global Request and Response stay Node's: tests run portal and service in one process.
    const server = serve({ fetch: answer, hostname: '127.0.0.1', port, serverOptions, overrideGlobalObjects: false }, (address) => {
      server.off('error', refuse)
      resolve({ port: address.port, close })
    })
    const refuse = (error: NodeJS.ErrnoException) => {
      const why = error.code === 'EADDRINUSE' ? 'is taken by another program' : `cannot be used (${error.code ?? 'unknown reason'})`
      reject(new PortError(`Port ${port} on 127.0.0.1 ${why}. Free it, or set SERVICE_PORT to another one.`))
    }
    server.once('error', refuse)
    server.on('connect', (_request: unknown, socket: Duplex) => {
      socket.on('error', () => {})
      socket.end(refusedTunnel)
    })
    const close = (graceMs = 3000) =>
      new Promise<void>((closed) => {
        const force = setTimeout(() => 'closeAllConnections' in server && server.closeAllConnections(), graceMs)
        server.close(() => {
          clearTimeout(force)
          closed()
        })
        if ('closeIdleConnections' in server) server.closeIdleConnections()
      })
  })
}
