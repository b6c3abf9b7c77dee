/** The service's socket: opened on this machine alone, closed in order. */
import { serve } from '@hono/node-server'
import type { Hono } from 'hono'

export type Listening = {
  port: number
  /** Takes no more calls; those under way may end, for a while. */
  close(graceMs?: number): Promise<void>
}

/** The port cannot be had; the message is one line for the operator. */
export class PortError extends Error {}

// A client that keeps its sockets for 30 s must never be the second to close one.
const serverOptions = { headersTimeout: 10_000, requestTimeout: 60_000, keepAliveTimeout: 65_000, connectionsCheckingInterval: 5_000 }

/** Listens on 127.0.0.1. Port 0 takes a free one. Throws PortError. */
export function listen(app: Pick<Hono, 'fetch'>, port: number): Promise<Listening> {
  return new Promise((resolve, reject) => {
    const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port, serverOptions }, (address) => {
      server.off('error', refuse)
      resolve({ port: address.port, close })
    })
    const refuse = (error: NodeJS.ErrnoException) => {
      const why = error.code === 'EADDRINUSE' ? 'is taken by another program' : `cannot be used (${error.code ?? 'unknown reason'})`
      reject(new PortError(`Port ${port} on 127.0.0.1 ${why}. Free it, or set SERVICE_PORT to another one.`))
    }
    server.once('error', refuse)
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
