/** The portal's HTTP server: limits how long a request may take to arrive, and which requests reach the front. */
import { createServer } from 'node:http'

/**
 * Milliseconds. A request that has not arrived completely by then is answered 408 and its connection closed. The duration of the
 * response is not limited.
 */
const arrival = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 1000 }

const refusedTunnel = 'HTTP/1.1 405 Method Not Allowed\r\nAllow: GET, HEAD, POST\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'

/** @param {import('node:http').RequestListener} front */
export function createFrontServer(front, limits = arrival) {
  const server = createServer(limits, front)
  // Otherwise Node would send 100 Continue before the front has checked the length.
  server.on('checkContinue', (request, response) => server.emit('request', request, response))
  server.on('connect', (_request, socket) => {
    socket.on('error', () => {})
    socket.end(refusedTunnel)
  })
  // No upgrade is supported, and nothing else would close a socket that requests one.
  server.on('upgrade', (_request, socket) => socket.destroy())
  return server
}
